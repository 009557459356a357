# Reads _definitions.json of kubernetes-validate and prints the schema of a Job or a claim, without descriptions.
import json, sys
d = json.load(open(sys.argv[1]))["$defs"]
seen, todo = {}, ["io.k8s.api.batch.v1.Job", "io.k8s.api.core.v1.PersistentVolumeClaim"]
while todo:
    name = todo.pop()
    if name in seen:
        continue
    seen[name] = d[name]
    def walk(v):
        if isinstance(v, dict):
            if isinstance(v.get("description"), str):
                del v["description"]
            if "$ref" in v:
                todo.append(v["$ref"].split("/")[-1])
                v["$ref"] = "#/definitions/" + todo[-1]
            for e in v.values():
                walk(e)
        elif isinstance(v, list):
            for e in v:
                walk(e)
    walk(seen[name])
json.dump({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": seen, "oneOf": [{"$ref": "#/definitions/" + n} for n in ("io.k8s.api.batch.v1.Job", "io.k8s.api.core.v1.PersistentVolumeClaim")]}, sys.stdout, indent=1, sort_keys=True)
print()
