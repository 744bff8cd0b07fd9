//! Who is served, and how often.
//!
//! A page of another site that a person visits can make their browser ask a server on their own machine. Browsers tell
//! the page's origin with such requests; and a name that suddenly stands for this machine (DNS rebinding) comes as an
//! unknown host. Both are refused.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, header};

/// The names by which this machine calls itself.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The names under which the server may be asked.
#[derive(Clone, Debug)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// This machine's own names, and others.
    pub fn new(others: &[String]) -> Hosts {
        let own = OWN_NAMES.iter().map(ToString::to_string);
        Hosts(own.chain(others.iter().map(|name| name.to_ascii_lowercase())).collect())
    }

    /// Refuses a request to another host, or from a page of another origin; an error tells why.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), String> {
        let host = one(headers, header::HOST)?.ok_or("the request names no host")?;
        self.check_name(host)?;
        if let Some(origin) = one(headers, header::ORIGIN)? {
            let told = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
            let is_same = told.is_some_and(|told| told.eq_ignore_ascii_case(host));
            if !is_same {
                return Err(format!("pages of {origin:?} are not served"));
            }
        }
        Ok(())
    }

    fn check_name(&self, host: &str) -> Result<(), String> {
        let authority: Option<Authority> = host.parse().ok();
        let is_known = authority.is_some_and(|authority| {
            let name = authority.host().to_ascii_lowercase();
            !host.contains('@') && self.0.contains(&name)
        });
        match is_known {
            true => Ok(()),
            false => Err(format!(
                "the host {host:?} is not served; `tusk serve --allow-host NAME` allows one"
            )),
        }
    }
}

/// The value of a header that must not come twice.
fn one(headers: &HeaderMap, name: header::HeaderName) -> Result<Option<&str>, String> {
    let mut values = headers.get_all(&name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(format!("the header {name} comes twice"));
    }
    value.to_str().map(Some).map_err(|_| format!("the header {name} is no text"))
}

/// How often something may be done: so many at once, and so many a second.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub burst: f64,
    pub per_second: f64,
}

/// A bucket of tokens that fills with time.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    tokens: f64,
    since: Instant,
}

impl Bucket {
    pub fn full(rate: Rate, now: Instant) -> Bucket {
        Bucket { tokens: rate.burst, since: now }
    }

    /// Takes a token, if there is one.
    pub fn take(&mut self, rate: Rate, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.since).as_secs_f64();
        self.tokens = (self.tokens + passed * rate.per_second).min(rate.burst);
        self.since = now;
        let is_there = self.tokens >= 1.0;
        if is_there {
            self.tokens -= 1.0;
        }
        is_there
    }

    /// Puts a part of a token back.
    fn give_back(&mut self, rate: Rate, part: f64) {
        self.tokens = (self.tokens + part).min(rate.burst);
    }
}

/// The part of a token that a refused request gives back: it costs the server little, and a client of the same address
/// shall be answered while another sends nothing but faults.
const REFUSED: f64 = 0.9;

/// The buckets of all who ask.
#[derive(Debug)]
pub struct Buckets {
    rate: Rate,
    of: Mutex<HashMap<IpAddr, Bucket>>,
}

/// With more addresses than that, those that are full again are forgotten.
const MANY: usize = 1000;

impl Buckets {
    pub fn new(rate: Rate) -> Buckets {
        Buckets { rate, of: Mutex::default() }
    }

    /// Whether somebody may ask now.
    pub fn take(&self, who: IpAddr, now: Instant) -> bool {
        let mut buckets = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MANY {
            let filled = self.rate.burst / self.rate.per_second;
            let is_recent = |bucket: &Bucket| {
                now.saturating_duration_since(bucket.since).as_secs_f64() < filled
            };
            buckets.retain(|_, bucket| is_recent(bucket));
        }
        buckets.entry(who).or_insert_with(|| Bucket::full(self.rate, now)).take(self.rate, now)
    }

    /// Makes a request cheap that was refused for its faults.
    pub fn refused(&self, who: IpAddr) {
        let mut buckets = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.entry(who).and_modify(|bucket| bucket.give_back(self.rate, REFUSED));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::http::HeaderValue;

    use super::*;

    fn headers(host: &'static str, origin: Option<&'static str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static(host));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
        }
        headers
    }

    #[test]
    fn this_machine_and_allowed_hosts_are_served_and_no_others() {
        let hosts = Hosts::new(&["Board.example".to_string()]);
        for host in ["localhost", "LOCALHOST:7333", "127.0.0.1:7333", "[::1]:1", "board.example"] {
            assert_eq!(hosts.check(&headers(host, None)), Ok(()), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "",
            "localhost@evil.example",
            "::1",
            "evil.example:7333",
        ] {
            assert!(hosts.check(&headers(host, None)).is_err(), "{host}");
        }
        assert!(hosts.check(&HeaderMap::new()).is_err());
        let mut twice = headers("localhost", None);
        twice.append(header::HOST, HeaderValue::from_static("evil.example"));
        assert!(hosts.check(&twice).is_err());
    }

    #[test]
    fn only_pages_of_the_same_origin_are_served() {
        let hosts = Hosts::new(&[]);
        let check = |origin| hosts.check(&headers("localhost:7333", Some(origin)));
        assert_eq!(check("http://localhost:7333"), Ok(()));
        for origin in
            ["http://evil.example", "http://localhost:8000", "null", "http://127.0.0.1:7333"]
        {
            assert!(check(origin).is_err(), "{origin}");
        }
    }

    #[test]
    fn a_bucket_fills_with_time() {
        let rate = Rate { burst: 2.0, per_second: 10.0 };
        let now = Instant::now();
        let mut bucket = Bucket::full(rate, now);
        assert_eq!([0; 3].map(|_| bucket.take(rate, now)), [true, true, false]);
        let later = now + Duration::from_millis(100);
        assert_eq!([0; 2].map(|_| bucket.take(rate, later)), [true, false]);
        bucket.give_back(rate, 1.0);
        assert_eq!([0; 2].map(|_| bucket.take(rate, later)), [true, false]);
    }
}
