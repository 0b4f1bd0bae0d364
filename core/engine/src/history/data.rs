//! The bytes that tell revisions apart, and the name made from them.

use serde_json::{Number, Value};

use crate::api::Text;
use crate::json::{float_text, object_of, text_of};

/// JSON as Go's `encoding/json` writes a decoded map: keys sorted, no white space, `<`, `>`, `&`, U+2028 and U+2029
/// escaped, whole numbers beyond 2^53 rounded as `float64` does. Revisions are compared by these bytes.
pub fn go_json(value: &Value) -> String {
    text_of(value, go_number)
}

/// The patch that a revision of `template` stores (`getPatch`, Kubernetes 1.36).
pub fn template_patch(template: &Value) -> Value {
    let mut patched = template.clone();
    if let Value::Object(fields) = &mut patched {
        fields.insert("$patch".to_owned(), Value::from("replace"));
    }
    object_of("spec", object_of("template", patched))
}

/// The hash that names a revision and labels its pods.
///
/// Upstream hashes a dump of Go structures; here it is FNV-1a over the patch's bytes, so that the letters differ and
/// everything else holds: the collision count is mixed in and the alphabet used in the same way
/// (`controller.ComputeHash`, Kubernetes 1.36).
pub fn revision_hash(patch: &str, collision_count: Option<i32>) -> Text {
    let mut hash = fnv1a(FNV_OFFSET, patch.as_bytes());
    if let Some(count) = collision_count {
        hash = fnv1a(hash, &count.to_le_bytes());
        hash = fnv1a(hash, &[0; 4]);
    }
    let mut letters = hash.to_string().into_bytes();
    for letter in &mut letters {
        *letter = safe_letter(*letter);
    }
    String::from_utf8(letters).unwrap_or_default().into()
}

const FNV_OFFSET: u32 = 0x811c_9dc5;

fn fnv1a(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The letter for a byte in generated names: no vowels, no digits that look like letters (`rand.SafeEncodeString`).
pub(crate) fn safe_letter(byte: u8) -> u8 {
    const ALPHABET: [u8; 27] = *b"bcdfghjklmnpqrstvwxz2456789";
    ALPHABET.get(usize::from(byte) % ALPHABET.len()).copied().unwrap_or(b'b')
}

fn go_number(number: &Number) -> String {
    const EXACT: u64 = 1 << 53;
    match number.as_i64() {
        Some(whole) if whole.unsigned_abs() <= EXACT => whole.to_string(),
        _ => float_text(number.as_f64().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_go_writes_it() {
        let value: Value = serde_json::from_str(
            r#"{"b":[1, true, null, {}], "a<":"x&y>\u2028\u0001\t\u0008é\u007f", "n":9223372036854775807}"#,
        )
        .unwrap();
        assert_eq!(
            go_json(&value),
            "{\"a\\u003c\":\"x\\u0026y\\u003e\\u2028\\u0001\\t\\bé\u{7f}\",\"b\":[1,true,null,{}],\"n\":9223372036854776000}"
        );
        let floats: Value = serde_json::from_str("[0.5, 1e21, 1.5e-7, 100.0]").unwrap();
        assert_eq!(go_json(&floats), "[0.5,1e+21,1.5e-7,100]");
    }

    #[test]
    fn the_patch_is_the_template_with_a_directive() {
        let patch = template_patch(&serde_json::json!({ "spec": {}, "metadata": {} }));
        assert_eq!(go_json(&patch), r#"{"spec":{"template":{"$patch":"replace","metadata":{},"spec":{}}}}"#);
    }

    #[test]
    fn the_hash_depends_on_bytes_and_collisions_only() {
        let hash = revision_hash("{}", None);
        assert_eq!(hash, revision_hash("{}", None));
        assert_ne!(hash, revision_hash("{} ", None));
        assert_ne!(hash, revision_hash("{}", Some(0)));
        assert_ne!(revision_hash("{}", Some(0)), revision_hash("{}", Some(1)));
        assert!(hash.bytes().all(|letter| b"bcdfghjklmnpqrstvwxz2456789".contains(&letter)));
    }
}
