package compare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
)

// A shard measures rounds in an order that no other shard has, and with functions in orders that no
// other has: what they have in common would not average out. salted mixes the number of the shard
// into the number of a round or a link, of which there are at most session.MaxRounds.
func (r *Run) salted(number int) uint64 {
	if r.config().Shard == nil {
		return uint64(number)
	}
	const rounds = 1 << 20
	return uint64(r.config().Shard.Index)*rounds + uint64(number)
}

// noteCode stores what tells the code of this shard from other code, so that shards of one comparison can
// be recognised: the contents of all source files that are not the toolchain's or another module's, of every architecture's, and
// what says which other modules are used. It does not depend on where they lie, nor on the machine.
func (r *Run) noteCode(ctx context.Context) error {
	if r.config().Shard == nil {
		return nil
	}
	sum := sha256.New()
	for _, v := range r.variants {
		if v.err != "" || v.version == "base" { // the hash of its commit names that
			continue
		}
		r.Progress.Step("reading the source files")
		if err := hashCode(ctx, sum, v); err != nil {
			return fmt.Errorf("cannot tell what code this shard measures: %w", err)
		}
		break
	}
	r.Dir.Session.Code = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// hashCode adds the code of a variant. Of a program that is built already, it is the program.
func hashCode(ctx context.Context, sum hash.Hash, v *variant) error {
	var paths []string
	for _, b := range v.bins {
		switch {
		case b.err != nil:
		case b.pkg.ImportPath == "":
			fmt.Fprintln(sum, "program", b.info.SHA256)
		default:
			paths = append(paths, b.pkg.ImportPath)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	folders, err := sourceFolders(ctx, v, paths)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(folders)) {
		if err := hashFolder(sum, path, folders[path]); err != nil {
			return err
		}
	}
	out, err := build.Go(ctx, v.dir, v.mode, "env", "GOMOD", "GOWORK")
	if err != nil {
		return err
	}
	for file := range strings.Lines(string(out)) {
		for _, name := range modFiles(strings.TrimSpace(file)) {
			if err := hashFile(sum, filepath.Base(name), name); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// modFiles are a go.mod or go.work and the sums beside it; none if there is no such file.
func modFiles(file string) []string {
	switch filepath.Base(file) {
	case "go.mod":
		return []string{file, strings.TrimSuffix(file, ".mod") + ".sum"}
	case "go.work":
		return []string{file, file + ".sum"}
	}
	return nil
}

// sourceFolders are the folders of the packages that test binaries or programs are made of, but for those of the
// toolchain and of other modules, by their import paths.
func sourceFolders(ctx context.Context, v *variant, paths []string) (map[string]string, error) {
	sources, err := build.Sources(ctx, v.dir, v.mode, build.Overlay{}, paths...)
	folders := map[string]string{}
	for _, s := range sources {
		if len(s.Files) > 0 {
			path, _, _ := strings.Cut(s.Name, " ") // without [the test that it is compiled for]
			folders[path] = filepath.Dir(s.Files[0])
		}
	}
	return folders, err
}

// hashFolder adds all files of a folder, whatever architecture they are for, and those of its testdata.
func hashFolder(sum hash.Hash, path, folder string) error {
	return filepath.WalkDir(folder, func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && rel != "testdata" && !strings.HasPrefix(rel, "testdata/") {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") || !strings.Contains(rel, "/") && !isSource(d.Name()) {
			return nil
		}
		return hashFile(sum, path+"/"+rel, file)
	})
}

// isSource reports whether a file of a package's folder may be compiled into it.
func isSource(name string) bool {
	return slices.Contains([]string{".go", ".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".m", ".f", ".F", ".for", ".f90", ".syso", ".swig", ".swigcxx", ".pgo"},
		filepath.Ext(name))
}

func hashFile(sum hash.Hash, name, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	content := sha256.New()
	if _, err := io.Copy(content, f); err != nil {
		return err
	}
	fmt.Fprintf(sum, "%s %x\n", name, content.Sum(nil))
	return nil
}
