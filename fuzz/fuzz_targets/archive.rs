//! Any text as lines of arimaa.com's archives, below their header.

#![no_main]

#[path = "../games.rs"]
mod games;

use libfuzzer_sys::fuzz_target;

/// The columns of the archives that are of use.
const HEADER: &str = "id\twplayerid\tbplayerid\twusername\tbusername\twtitle\tbtitle\twcountry\tbcountry\twrating\t\
                      brating\twratingk\tbratingk\twtype\tbtype\tevent\tsite\ttimecontrol\tpostal\tstartts\tendts\t\
                      result\ttermination\tplycount\tmode\trated\tcorrupt\tmovelist\tevents";

fuzz_target!(|rows: &str| {
    games::check(rows);
    games::check(&format!("{HEADER}\n{rows}"));
});
