// Package differ compares a function before and after a change, by calling both with the same generated inputs.
//
// A [Check] holds the text of a test file for the package of the changed function. The file has the old function
// under another name, the functions and declarations that the change altered and that it leads to, and the code of
// folder harness, which makes inputs and compares outcomes. [Check.Write] puts it into a checkout, [Run] runs it.
//
// # What it sees
//
// An input is one to three calls in a row, of a method on the same receiver. Numbers and strings are made at random,
// near the constants of the function and of the package's tests, and near lengths that the input has already: also
// empty and long strings, and ones that are not valid UTF-8. Slices and maps are nil, empty, or filled; slices have
// spare capacity, and arguments share memory now and then. Structs are made by constructors of the package, or field
// by field where there are none. Functions that are passed are pure ones, whose calls are recorded.
//
// Compared are results, with nil told from empty and a NaN equal to a NaN, and capacities left out; errors by type
// and text; what iterators yield; the text of panics; arguments and receiver afterwards, what was written to a writer
// and which functions were called with what; what results have become when later calls are done; and memory, with
// capacities, that results share with arguments, with each other and with the results of other calls. Fields that
// the change adds to a struct are not compared. Then several goroutines call at once; under the race detector a data
// race is a difference.
//
// An input for which the old function does not answer the same each time is not compared. One that takes more than a
// second ends the check, unless it is the new function alone that does.
//
// # What it does not see
//
// It is a test and no proof: inputs that are not generated are not compared, such as those that only a rare sequence
// of method calls leads to. Package-level variables are not compared, nor what is printed. Values that the package
// never makes may be made of structs without a constructor, so a difference can be one that no caller sees. A changed
// method that the old function calls by way of an interface is the new one. Functions that may write files, start
// processes, use the network or end the process are refused, as far as calls in the module show it: the call graph has
// the functions that each one names, and those of the module that a method call on an interface may mean.
package differ
