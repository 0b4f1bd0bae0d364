// Schema prints the table of field names, types, known values and list keys that core/src/manifest/schema reads.
//
// Run by hand after raising k8s.io/api in go.mod:
//
//	go run . > ../../core/src/manifest/schema/table.txt
//
// The grammar of a line is described in core/src/manifest/schema/mod.rs.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// roots are the kinds that are read whole.
var roots = []reflect.Type{
	reflect.TypeFor[appsv1.DaemonSet](),
	reflect.TypeFor[appsv1.ControllerRevision](),
	reflect.TypeFor[corev1.Node](),
	reflect.TypeFor[corev1.Pod](),
	reflect.TypeFor[corev1.List](),
}

// scalars are types with their own reading from JSON.
var scalars = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():    "q",
	reflect.TypeFor[metav1.Time]():          "t",
	reflect.TypeFor[metav1.MicroTime]():     "u",
	reflect.TypeFor[metav1.Duration]():      "d",
	reflect.TypeFor[intstr.IntOrString]():   "x",
	reflect.TypeFor[runtime.RawExtension](): "a",
	reflect.TypeFor[metav1.FieldsV1]():      "a",
	reflect.TypeFor[[]byte]():               "y",
}

var kinds = map[reflect.Kind]string{
	reflect.String: "s", reflect.Bool: "b", reflect.Int32: "i", reflect.Int64: "l",
}

// source is what reflection cannot see.
type source struct {
	values map[string][]string          // package.Type of strings: its constants
	keys   map[string]map[string]string // package.Type: field: keys of its list
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	read := source{values: map[string][]string{}, keys: map[string]map[string]string{}}
	for _, module := range []string{"k8s.io/api", "k8s.io/apimachinery"} {
		if err := read.module(module); err != nil {
			return err
		}
	}
	lines := map[string]string{}
	owner := map[string]reflect.Type{}
	valuesUsed := map[string]string{}
	pending := append([]reflect.Type{}, roots...)
	order := []string{}
	for len(pending) > 0 {
		current := pending[0]
		pending = pending[1:]
		name := current.Name()
		if seen, ok := owner[name]; ok {
			if seen != current {
				return fmt.Errorf("two types named %s: %s and %s", name, seen.PkgPath(), current.PkgPath())
			}
			continue
		}
		owner[name] = current
		fields, next, err := read.fields(current, valuesUsed)
		if err != nil {
			return err
		}
		lines[name] = strings.Join(append([]string{name}, fields...), " ")
		order = append(order, name)
		pending = append(pending, next...)
	}
	fmt.Println("# k8s.io/api v0.36.3; made by tests/schema, not by hand")
	sort.Strings(order)
	for _, name := range order {
		fmt.Println(lines[name])
	}
	names := []string{}
	for name := range valuesUsed {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Printf("=%s %s\n", name, valuesUsed[name])
	}
	return nil
}

// fields describes the fields of one struct, those of inlined structs among them.
func (read source) fields(owner reflect.Type, valuesUsed map[string]string) (fields []string, next []reflect.Type, err error) {
	for index := range owner.NumField() {
		field := owner.Field(index)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			if !field.Anonymous {
				return nil, nil, fmt.Errorf("%s.%s has no JSON name", owner.Name(), field.Name)
			}
			inner, more, err := read.fields(field.Type, valuesUsed)
			if err != nil {
				return nil, nil, err
			}
			fields, next = append(fields, inner...), append(next, more...)
			continue
		}
		omitEmpty := strings.Contains(options, "omitempty")
		omitZero := strings.Contains(options, "omitzero")
		text := name + ":"
		kind := field.Type
		if kind.Kind() == reflect.Pointer {
			text += "*"
			kind = kind.Elem()
		}
		structural := field.Type.Kind() == reflect.Struct
		if _, known := scalars[kind]; !known {
			switch kind.Kind() {
			case reflect.Slice:
				text += "[]"
				kind = kind.Elem()
			case reflect.Map:
				if kind.Key().Kind() != reflect.String {
					return nil, nil, fmt.Errorf("%s.%s: keys are not text", owner.Name(), field.Name)
				}
				text += "{}"
				kind = kind.Elem()
			}
		}
		switch letter, known := scalars[kind]; {
		case known:
			text += letter
		case kind.Kind() == reflect.Struct:
			text += kind.Name()
			next = append(next, kind)
		case kinds[kind.Kind()] != "":
			text += kinds[kind.Kind()]
			if values := read.values[qualified(kind)]; len(values) > 0 {
				text += "=" + kind.Name()
				valuesUsed[kind.Name()] = strings.Join(values, " ")
			}
		default:
			return nil, nil, fmt.Errorf("%s.%s: no letter for %s", owner.Name(), field.Name, kind)
		}
		if !omitZero && (!omitEmpty || structural) {
			text += "!"
		}
		if keys := read.keys[qualified(owner)][field.Name]; keys != "" {
			text += "@" + keys
		}
		fields = append(fields, text)
	}
	return fields, next, nil
}

func qualified(kind reflect.Type) string {
	return kind.PkgPath() + "." + kind.Name()
}

// module reads constants of named text types and the keys of lists from a module's source.
func (read source) module(module string) error {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return fmt.Errorf("finding %s: %w", module, err)
	}
	root := strings.TrimSpace(string(out))
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			if general, ok := declaration.(*ast.GenDecl); ok {
				read.declaration(module+"/"+filepath.ToSlash(inside), general)
			}
		}
		return nil
	})
}

func (read source) declaration(pkg string, general *ast.GenDecl) {
	for _, spec := range general.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			kind, named := spec.Type.(*ast.Ident)
			if general.Tok != token.CONST || !named || len(spec.Values) != 1 {
				continue
			}
			literal, ok := spec.Values[0].(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				continue
			}
			value, err := strconv.Unquote(literal.Value)
			if err != nil || value == "" || strings.ContainsAny(value, " \n") || kind.Name == "string" {
				continue
			}
			key := pkg + "." + kind.Name
			read.values[key] = append(read.values[key], value)
		case *ast.TypeSpec:
			structure, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range structure.Fields.List {
				keys := []string{}
				for _, line := range strings.Split(field.Doc.Text(), "\n") {
					if key, found := strings.CutPrefix(strings.TrimSpace(line), "+listMapKey="); found {
						keys = append(keys, key)
					}
				}
				if field.Tag != nil && len(keys) == 0 {
					if tag, err := strconv.Unquote(field.Tag.Value); err == nil {
						if key := reflect.StructTag(tag).Get("patchMergeKey"); key != "" {
							keys = append(keys, key)
						}
					}
				}
				for _, name := range field.Names {
					if len(keys) > 0 {
						full := pkg + "." + spec.Name.Name
						if read.keys[full] == nil {
							read.keys[full] = map[string]string{}
						}
						read.keys[full][name.Name] = strings.Join(keys, ",")
					}
				}
			}
		}
	}
}
