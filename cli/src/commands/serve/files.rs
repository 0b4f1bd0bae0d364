use std::path::{Component, Path, PathBuf};

use crate::failure::Failure;

#[cfg(feature = "page")]
#[derive(rust_embed::RustEmbed)]
#[folder = "../web/dist/"]
struct Embedded;

/// Where the page's files are.
pub enum Files {
    /// In a directory.
    Directory(PathBuf),
    /// In this binary.
    #[cfg(feature = "page")]
    Embedded,
}

impl Files {
    /// The files of a directory, or without one those of the binary.
    pub fn new(directory: Option<&Path>) -> Result<Self, Failure> {
        match directory {
            Some(directory) if directory.join("index.html").is_file() => Ok(Self::Directory(directory.to_owned())),
            Some(directory) => Err(Failure::NoPageIn { directory: directory.to_owned() }),
            #[cfg(feature = "page")]
            None => Ok(Self::Embedded),
            #[cfg(not(feature = "page"))]
            None => Err(Failure::NoPage),
        }
    }

    /// A file's bytes and media type, by the path of its address.
    pub fn get(&self, path: &str) -> Option<(Vec<u8>, &'static str)> {
        let path = match path.trim_start_matches('/') {
            "" => "index.html",
            path => path,
        };
        // Neither `..` nor a root nor a drive letter leads out of the directory; escapes such as `%2e` name no file.
        if !Path::new(path).components().all(|component| matches!(component, Component::Normal(_))) {
            return None;
        }
        let bytes = match self {
            Self::Directory(directory) => std::fs::read(directory.join(path)).ok()?,
            #[cfg(feature = "page")]
            Self::Embedded => Embedded::get(path)?.data.into_owned(),
        };
        Some((bytes, media_type(path)))
    }
}

fn media_type(path: &str) -> &'static str {
    match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/vnd.microsoft.icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "md" | "yaml") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_directory_is_served() {
        let outside = tempfile::tempdir().unwrap();
        let inside = outside.path().join("page");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(outside.path().join("secret.txt"), "no").unwrap();
        std::fs::write(inside.join("index.html"), "<p>").unwrap();
        std::fs::write(inside.join("a.wasm"), "\0asm").unwrap();
        let files = Files::new(Some(&inside)).unwrap();
        assert_eq!(files.get("/").unwrap().1, "text/html; charset=utf-8");
        assert_eq!(files.get("/a.wasm").unwrap(), (b"\0asm".to_vec(), "application/wasm"));
        for path in ["/../secret.txt", "//etc/passwd", "/x/../../secret.txt", "/%2e%2e/secret.txt", "/missing", "/."] {
            assert!(files.get(path).is_none(), "{path}");
        }
    }

    #[test]
    fn a_directory_without_a_page_is_refused() {
        let empty = tempfile::tempdir().unwrap();
        assert!(matches!(Files::new(Some(empty.path())), Err(Failure::NoPageIn { .. })));
    }
}
