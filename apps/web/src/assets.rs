//! The page: files that are part of the program.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! assets {
    ($($path:literal $kind:ident $file:literal),* $(,)?) => {
        &[$(Asset { path: $path, kind: $kind, bytes: include_bytes!(concat!("../page/", $file)) }),*]
    };
}

const ASSETS: &[Asset] = assets![
    "/" HTML "index.html",
    "/style.css" STYLE "style.css",
    "/icon.svg" PICTURE "icon.svg",
    "/main.js" SCRIPT "main.js",
    "/dom.js" SCRIPT "dom.js",
    "/api.js" SCRIPT "api.js",
    "/board.js" SCRIPT "board.js",
    "/arimaa.js" SCRIPT "arimaa.js",
    "/tzaar.js" SCRIPT "tzaar.js",
    "/entry.js" SCRIPT "entry.js",
    "/parts.js" SCRIPT "parts.js",
    "/play.js" SCRIPT "play.js",
    "/analyse.js" SCRIPT "analyse.js",
    "/tree.js" SCRIPT "tree.js",
    "/editor.js" SCRIPT "editor.js",
    "/solve.js" SCRIPT "solve.js",
    "/search.js" SCRIPT "search.js",
    "/explore.js" SCRIPT "explore.js",
    "/explorer.js" SCRIPT "explorer.js",
    "/learn.js" SCRIPT "learn.js",
    "/matches.js" SCRIPT "matches.js",
    "/puzzles.js" SCRIPT "puzzles.js",
    "/rules.js" SCRIPT "rules.js",
];

/// Whether there is a file of that path.
pub fn is_asset(path: &str) -> bool {
    ASSETS.iter().any(|asset| asset.path == path)
}

/// The file of a path; none, if there is no such file.
pub fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let asset = ASSETS.iter().find(|asset| asset.path == path)?;
    let tag = format!("\"{:016x}\"", sum(asset.bytes));
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let head = [
        (header::CONTENT_TYPE, asset.kind.to_string()),
        (header::CACHE_CONTROL, "no-cache".to_string()),
        (header::ETAG, tag),
    ];
    Some(match is_known {
        true => (StatusCode::NOT_MODIFIED, head).into_response(),
        false => (head, Body::from(asset.bytes)).into_response(),
    })
}

/// The 64-bit FNV-1a sum, by which a browser knows that its copy is the newest.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_page_is_below_300_kib() {
        let size: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(size < 300 * 1024, "{size} bytes");
    }

    #[test]
    fn every_file_of_the_page_is_served_and_every_import_is_there() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        for entry in std::fs::read_dir(folder).expect("the folder of the page") {
            let name = entry.expect("a file").file_name().into_string().expect("a plain name");
            let path = if name == "index.html" { "/".to_string() } else { format!("/{name}") };
            assert!(ASSETS.iter().any(|asset| asset.path == path), "{path} is not served");
        }
        for asset in ASSETS.iter().filter(|asset| asset.kind == SCRIPT) {
            let text = std::str::from_utf8(asset.bytes).expect("text");
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let from = line.split('\'').nth(1).expect("what is imported");
                let path = from.strip_prefix('.').expect("a file beside it");
                assert!(ASSETS.iter().any(|asset| asset.path == path), "{}: {line}", asset.path);
            }
        }
    }
}
