//! The reports of learning runs that lie in the data folder: `NAME.report.json`, as `tusk learn` writes them beside a model.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Answer, Refusal};

/// How the name of a report ends.
const END: &str = ".report.json";

/// Besides the data folder itself, they lie in this one below it.
const FOLDER: &str = "reports";

/// The longest report, in bytes, and the most that are listed.
const LONGEST: u64 = 4 << 20;
const MOST: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportParameters {
    name: String,
}

/// All reports, the newest first.
pub fn reports(data: Option<&Path>) -> Answer {
    let mut found: Vec<(u64, Value)> = files(data)
        .into_iter()
        .filter_map(|(name, path)| {
            let report = read(&path).ok()?;
            let written = written(&path);
            let row = json!({
                "name": name,
                "method": report["method"],
                "data": report["data"],
                "written": written,
            });
            Some((written, row))
        })
        .collect();
    found.sort_by_key(|&(written, _)| std::cmp::Reverse(written));
    Ok(json!({ "reports": found.into_iter().map(|(_, row)| row).collect::<Vec<Value>>() }))
}

/// One of them, as it was written.
pub fn report(data: Option<&Path>, ReportParameters { name }: ReportParameters) -> Answer {
    // A name is one of those that are there: it is compared, and never becomes a path.
    let file = files(data).into_iter().find(|(known, _)| *known == name);
    let missing = || Refusal { status: 404, message: format!("there is no report {name:?}") };
    let (_, path) = file.ok_or_else(missing)?;
    read(&path)
        .map_err(|fault| Refusal::new(format!("the report {name:?} cannot be read: {fault}")))
}

/// The names of reports and where they are.
fn files(data: Option<&Path>) -> Vec<(String, PathBuf)> {
    let Some(data) = data else { return Vec::new() };
    let folders = [data.to_path_buf(), data.join(FOLDER)];
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let named = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let named = named.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        Some((name.strip_suffix(END)?.to_string(), entry.path()))
    });
    named.take(MOST).collect()
}

/// When a file was written, in seconds since 1970.
fn written(path: &Path) -> u64 {
    let modified = fs::metadata(path).and_then(|data| data.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_secs())
}

fn read(path: &Path) -> Result<Value, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut text = String::new();
    file.take(LONGEST + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > LONGEST {
        return Err("it is longer than 4 MiB".to_string());
    }
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_the_data_folder_are_listed_and_told() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path();
        fs::create_dir(data.join(FOLDER)).unwrap();
        fs::write(data.join("lp.report.json"), r#"{"method": "lp", "data": ["games.txt"]}"#)
            .unwrap();
        fs::write(data.join("reports/qp.report.json"), r#"{"method": "qp"}"#).unwrap();
        fs::write(data.join("torn.report.json"), "{").unwrap();
        fs::write(data.join("other.json"), "{}").unwrap();
        let listed = reports(Some(data)).unwrap();
        assert_eq!(listed["reports"].as_array().map(Vec::len), Some(2));
        let ask = |name: &str| report(Some(data), ReportParameters { name: name.to_string() });
        assert_eq!(ask("lp").unwrap()["method"], "lp");
        assert_eq!(ask("qp").unwrap()["method"], "qp");
        assert_eq!(ask("torn").unwrap_err().status, 400);
        for name in ["", "other", "reports/qp", "../lp", "none"] {
            assert_eq!(ask(name).unwrap_err().status, 404, "{name}");
        }
        assert_eq!(reports(None).unwrap()["reports"], json!([]));
    }
}
