#include "textflag.h"

TEXT ·assembled(SB), NOSPLIT, $0-16
	JMP ·calledByAssembly(SB)
