// The functions of this package have their code elsewhere.
