// Package cgroup finds the memory limit of this process's control group, of version 1 or 2.
//
// A process is in one group of each hierarchy, and the limits of all the group's parents hold as
// well. [Find] reads /proc/self/cgroup and /proc/self/mountinfo for the folders of the group and of
// those parents that are mounted here; [Group.Limit] is the lowest of their limits at the moment of
// the call, for Kubernetes changes them while containers run. A process that is moved to another group
// later has to call Find again.
//
// Memory belongs to version 1 if a hierarchy of that version has the controller, and to version 2
// otherwise, as on hybrid systems. In a cgroup namespace both files show paths from the namespace's
// root, with /.. for what lies above it. A mount whose root lies above the group by more than the paths
// tell gives the limit of its own root only, which is a parent; one whose root is unrelated counts only
// if cgroup.procs there lists this process.
//
// Other systems than Linux have no groups: Find returns [ErrNone] there.
//
// Sources: cgroups(7), cgroup_namespaces(7), proc_pid_mountinfo(5), and admin-guide/cgroup-v2.rst and
// admin-guide/cgroup-v1/memory.rst of the kernel's documentation.
package cgroup
