// Package vetrun runs the rules of lessgc/vet over packages, by way of go vet, and repairs
// what they find.
//
// A [Report] is written as JSON in the format lessgc-vet/1:
//
//	{
//	  "format": "lessgc-vet/1",
//	  "tool": "lessgc v0.1.0 ...",          as lessgc version prints it
//	  "packages": 12,                       that were looked at
//	  "findings": [                         by file, line and column
//	    {
//	      "rule": "poolalias",              what lessgc vet -explain takes
//	      "severity": "error",              or warning, or note
//	      "category": "corruption",         or lost-memory, removed, leak, directive, performance, remark
//	      "message": "...",                 one line: what happens at run time
//	      "url": "https://...",             where the rule is described
//	      "package": "example.com/app",
//	      "file": "handler.go",             from the current folder, with slashes; absolute outside of it
//	      "line": 12, "column": 9,          counted from 1, in bytes
//	      "endLine": 12, "endColumn": 23,   behind the last byte
//	      "related": [                      other places that belong to it
//	        {"file": "handler.go", "line": 10, "column": 8, "endLine": 10, "endColumn": 8, "message": "..."}
//	      ],
//	      "fixes": [                        ways to repair it; lessgc vet -fix takes the first
//	        {"message": "...", "edits": [{"file": "handler.go", "start": 210, "end": 223, "new": "..."}]}
//	      ]
//	    }
//	  ],
//	  "problems": [                         what was not looked at, and why
//	    {"package": "example.com/app/broken", "message": "does not compile: ..."}
//	  ],
//	  "notes": ["..."]                      what else is worth knowing
//	}
//
// Lists that are empty are there; related, fixes and url may be left out. Start and end of
// an edit are offsets in bytes from the beginning of the file as it is. What is added later
// are fields; readers skip those they do not know.
package vetrun
