package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// A manifest holds the objects of a file.
type manifest struct {
	jobs   []*batch.Job
	claims []*core.PersistentVolumeClaim
}

var separator = regexp.MustCompile(`(?m)^---$`)

// read decodes a file strictly, as kubectl does: a field that Kubernetes does not know, or that
// stands there twice, is an error. Then it checks the objects.
func read(text []byte) (*manifest, error) {
	m := new(manifest)
	for i, document := range separator.Split(string(text), -1) {
		var kind meta.TypeMeta
		if err := yaml.Unmarshal([]byte(document), &kind); err != nil {
			return nil, fmt.Errorf("document %d: %w", i+1, err)
		}
		var into any
		switch kind.APIVersion + " " + kind.Kind {
		case " ": // comments
			continue
		case "batch/v1 Job":
			m.jobs = append(m.jobs, new(batch.Job))
			into = m.jobs[len(m.jobs)-1]
		case "v1 PersistentVolumeClaim":
			m.claims = append(m.claims, new(core.PersistentVolumeClaim))
			into = m.claims[len(m.claims)-1]
		default:
			return nil, fmt.Errorf("document %d: %s of %s is not what lessgc prints", i+1, kind.Kind, kind.APIVersion)
		}
		if err := yaml.UnmarshalStrict([]byte(document), into); err != nil {
			return nil, fmt.Errorf("document %d: %w", i+1, err)
		}
	}
	if len(m.jobs) == 0 {
		return nil, errors.New("there is no Job")
	}
	for _, c := range m.claims {
		if !slices.Equal(c.Spec.AccessModes, []core.PersistentVolumeAccessMode{core.ReadWriteMany}) {
			return nil, fmt.Errorf("claim %s: access modes %v; pods on several nodes write at once", c.Name, c.Spec.AccessModes)
		}
	}
	for _, job := range m.jobs {
		if err := check(job); err != nil {
			return nil, fmt.Errorf("job %s: %w", job.Name, err)
		}
	}
	return m, nil
}

// check checks what Kubernetes wants of a Job, and what lessgc promises.
func check(job *batch.Job) error {
	pod := &job.Spec.Template.Spec
	if pod.RestartPolicy != core.RestartPolicyNever {
		return errors.New("a container that failed would start again in its pod")
	}
	if s := pod.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.RunAsUser == nil || *s.RunAsUser == 0 {
		return errors.New("its pods may run as root")
	}
	if len(pod.Containers) != 1 || len(pod.InitContainers) > 0 {
		return errors.New("its pods have not one container")
	}
	container := &pod.Containers[0]
	if container.Image == "" || len(container.Command) == 0 {
		return errors.New("its container has no image, or no command")
	}
	if s := container.SecurityContext; s == nil || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation {
		return errors.New("its container may get more rights")
	}
	if err := guaranteed(container.Resources); err != nil {
		return err
	}
	for _, mount := range container.VolumeMounts {
		if !slices.ContainsFunc(pod.Volumes, func(v core.Volume) bool { return v.Name == mount.Name }) {
			return fmt.Errorf("there is no volume %s", mount.Name)
		}
	}
	if isSuspended(job) {
		return nil
	}
	return checkIndexed(&job.Spec)
}

// guaranteed checks that a pod is of class Guaranteed and gets CPUs of its own.
func guaranteed(r core.ResourceRequirements) error {
	for _, name := range []core.ResourceName{core.ResourceCPU, core.ResourceMemory} {
		request, limit := r.Requests[name], r.Limits[name]
		if request.IsZero() || request.Cmp(limit) != 0 {
			return fmt.Errorf("%s: request %s, limit %s; they have to be equal", name, &request, &limit)
		}
	}
	if cpu := r.Requests[core.ResourceCPU]; cpu.MilliValue()%1000 != 0 {
		return fmt.Errorf("%s CPUs: a part of a CPU is none of its own", &cpu)
	}
	return nil
}

// checkIndexed checks the Job that measures.
func checkIndexed(s *batch.JobSpec) error {
	switch {
	case s.CompletionMode == nil || *s.CompletionMode != batch.IndexedCompletion:
		return errors.New("its pods have no index")
	case s.Completions == nil || s.Parallelism == nil || *s.Completions != *s.Parallelism || *s.Completions < 1:
		return errors.New("completions and parallelism differ, or are missing")
	case s.BackoffLimitPerIndex == nil || *s.BackoffLimitPerIndex < 0:
		return errors.New("one shard that fails would end the others: no backoffLimitPerIndex")
	case s.PodReplacementPolicy == nil || *s.PodReplacementPolicy != batch.Failed:
		return errors.New("two pods of an index could run at a time")
	}
	a := s.Template.Spec.Affinity
	if a == nil || a.PodAntiAffinity == nil {
		return errors.New("shards may share a node")
	}
	for _, term := range a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
		selector, err := meta.LabelSelectorAsSelector(term.LabelSelector)
		if err != nil {
			return err
		}
		if term.TopologyKey == core.LabelHostname && selector.Matches(labels.Set(s.Template.Labels)) {
			return nil
		}
	}
	return errors.New("shards may share a node")
}
