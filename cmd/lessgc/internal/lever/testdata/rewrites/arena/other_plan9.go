package arena

var ofPlan9 = newPlan9(nil, 9)
