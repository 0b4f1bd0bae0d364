//! Names of a letter or two for what a release's module and its script share, in both.
//!
//! Wasm-bindgen names an import after a function and a hash, and hashes do not compress: short names save 3.1 kB of the
//! module after brotli, and 2.6 of the script's 11. Nobody reads them. The script is what the pinned wasm-bindgen wrote: if
//! it names anything in another way than this file knows, the build fails.

use std::collections::BTreeMap;
use std::convert::Infallible;

use anyhow::{Result, ensure};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{ExportSection, ImportSection, Module};
use wasmparser::{Export, Imports, Parser, Payload};

/// The module that wasm-bindgen's imports are from: an object in the script.
const SCRIPT: &str = "./rollcast_bg.js";
/// What that object is called instead.
const SHORT_SCRIPT: &str = "a";

/// The module and the script with short names.
///
/// An export that the script does not name is for nobody, and goes.
pub fn shorten(module: &[u8], script: &str) -> Result<(Vec<u8>, String)> {
    let mut names = Names::read(module)?;
    let script = names.in_script(script)?;
    let mut out = Module::new();
    names.parse_core_module(&mut out, Parser::new(0), module)?;
    Ok((out.finish(), script))
}

/// Names and what becomes of them.
#[derive(Default)]
struct Names<'a> {
    imports: BTreeMap<&'a str, Name>,
    exports: BTreeMap<&'a str, Name>,
}

/// What becomes of a name.
struct Name {
    short: String,
    /// How often the script has it.
    times: usize,
}

impl<'a> Names<'a> {
    fn read(module: &'a [u8]) -> Result<Self> {
        let mut names = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        if import.module == SCRIPT {
                            add(&mut names.imports, import.name);
                        }
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section {
                        add(&mut names.exports, export?.name);
                    }
                }
                _ => {}
            }
        }
        Ok(names)
    }

    /// The script with short names: an import is a function of an object, an export a property of `wasm`.
    fn in_script(&mut self, script: &str) -> Result<String> {
        let object = format!("\"{SCRIPT}\": import0");
        ensure!(script.matches(&object).count() == 1, "the script does not define `{SCRIPT}` once");
        ensure!(
            script.matches("exports").count() == 1
                && script.contains("wasm = instance.exports;")
                && !script.contains("wasm["),
            "the script reaches exports in another way than by name"
        );
        let mut out = String::with_capacity(script.len());
        let (mut previous, mut rest) = ("", script);
        while let Some(start) = rest.find(in_word) {
            let (before, from) = rest.split_at(start);
            let (word, behind) = from.split_at(from.find(|letter| !in_word(letter)).unwrap_or(from.len()));
            out.push_str(before);
            if let Some(name) = self.imports.get_mut(word) {
                ensure!(behind.starts_with(": function("), "the script names the import `{word}` without defining it");
                out.push_str(name.used());
            } else if let ("wasm", ".", Some(name)) = (previous, before, self.exports.get_mut(word)) {
                out.push_str(name.used());
            } else {
                out.push_str(word);
            }
            (previous, rest) = (word, behind);
        }
        out.push_str(rest);
        for (long, name) in &self.imports {
            ensure!(name.times == 1, "the script defines the import `{long}` {} times", name.times);
        }
        Ok(out.replace(&object, &format!("\"{SHORT_SCRIPT}\": import0")))
    }
}

impl Name {
    fn used(&mut self) -> &str {
        self.times += 1;
        &self.short
    }
}

impl Reencode for Names<'_> {
    type Error = Infallible;

    fn parse_imports(&mut self, section: &mut ImportSection, imports: Imports<'_>) -> Result<(), Error> {
        for import in imports {
            let (_, import) = import?;
            let kind = self.entity_type(import.ty)?;
            match self.imports.get(import.name) {
                Some(name) if import.module == SCRIPT => section.import(SHORT_SCRIPT, &name.short, kind),
                _ => section.import(import.module, import.name, kind),
            };
        }
        Ok(())
    }

    fn parse_export(&mut self, section: &mut ExportSection, export: Export<'_>) -> Result<(), Error> {
        let kind = self.export_kind(export.kind)?;
        if let Some(name) = self.exports.get(export.name).filter(|name| name.times > 0) {
            section.export(&name.short, kind, export.index);
        }
        Ok(())
    }
}

/// Gives a name the next short one.
fn add<'a>(names: &mut BTreeMap<&'a str, Name>, long: &'a str) {
    let short = short_name(names.len());
    names.insert(long, Name { short, times: 0 });
}

/// `a` to `z`, then `aa`, `ab` and so on.
fn short_name(place: usize) -> String {
    let before = (place / 26).checked_sub(1).map(short_name).unwrap_or_default();
    before.chars().chain(('a'..='z').cycle().nth(place)).collect()
}

/// Whether a letter is part of a name in a script.
fn in_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARED: &str = r#"
        (import "./rollcast_bg.js" "__wbg_get_0123" (func))
        (import "./rollcast_bg.js" "__wbg_get_01234" (func (param i32)))
        (import "elsewhere" "__wbg_get_0123" (func))
        (func)
        (export "main" (func 3))
        (export "__wbindgen_start" (func 2))
        (memory (export "memory") 1)"#;

    const GLUE: &str = r#"
        const import0 = {
            __wbg_get_0123: function(arg0) { return wasm.memory.buffer; },
            __wbg_get_01234: function() { return handleError(function (main) {}); },
        };
        return { "./rollcast_bg.js": import0 };
        wasm = instance.exports;
        wasm.__wbindgen_start();"#;

    fn module(text: &str) -> Vec<u8> {
        wat::parse_str(text).unwrap()
    }

    #[test]
    fn module_and_script_get_the_same_short_names() {
        let (module_after, script) = shorten(&module(SHARED), GLUE).unwrap();
        let expected = r#"
            (import "a" "a" (func))
            (import "a" "b" (func (param i32)))
            (import "elsewhere" "__wbg_get_0123" (func))
            (func)
            (export "b" (func 2))
            (memory (export "c") 1)"#;
        assert_eq!(module_after, module(expected));
        let expected = r#"
        const import0 = {
            a: function(arg0) { return wasm.c.buffer; },
            b: function() { return handleError(function (main) {}); },
        };
        return { "a": import0 };
        wasm = instance.exports;
        wasm.b();"#;
        assert_eq!(script, expected);
    }

    #[test]
    fn a_script_of_another_shape_is_refused() {
        let refused = |from: &str, to: &str| {
            let script = GLUE.replace(from, to);
            assert_ne!(script, GLUE);
            shorten(&module(SHARED), &script).unwrap_err().to_string()
        };
        assert!(refused("__wbg_get_01234", "__wbg_get_0").contains("defines the import `__wbg_get_01234` 0 times"));
        assert!(refused("__wbg_get_01234", "__wbg_get_0123").contains("`__wbg_get_0123` 2 times"));
        assert!(refused("memory", "__wbg_get_0123").contains("names the import `__wbg_get_0123` without"));
        assert!(refused("import0 }", "import1 }").contains("does not define `./rollcast_bg.js` once"));
        assert!(refused("wasm.memory", "wasm[memory]").contains("in another way than by name"));
        assert!(refused("wasm.memory", "instance.exports.memory").contains("in another way than by name"));
    }

    #[test]
    fn short_names_differ() {
        let names: Vec<_> = [0, 25, 26, 27, 701, 702].map(short_name).into();
        assert_eq!(names, ["a", "z", "aa", "ab", "zz", "aaa"]);
    }
}
