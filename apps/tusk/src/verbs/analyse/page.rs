//! An analysis as one page that needs nothing else: boards, a graph of the chances, the turns.

use std::fmt::Write as _;

use engine::Verdict;
use game::{Game as _, Side};
use serde_json::{Value, json};
use workbench::Interactive;
use workbench::review::{Summary, TurnReport};
use workbench::verdicts::chance;

use super::summary_text;
use crate::shared::features::Featured;

/// The graph's size.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 160.0;

/// The page of a game; `last` is the game after the last turn.
pub fn page<S: Interactive + Featured>(
    engine: &str,
    reports: &[TurnReport<S>],
    last: &S::Game,
    summary: &Summary,
) -> String {
    let title = format!("A game of {}, analysed by {}", S::NAME, escaped(engine));
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    for line in summary_text(summary, reports).lines() {
        let _ = writeln!(html, "<p>{}</p>", escaped(line));
    }
    html += &graph(reports);
    let clicks = match S::piece_legend() {
        Some(_) => " Click a piece to see its distances, its mobility and its features.",
        None => "",
    };
    let _ = writeln!(
        html,
        "<p class=\"keys\">Left and right arrow: one turn back or on. Home, End: the first, the last. \
         Or click the graph or a turn.{clicks}</p>\n<main>\n<div id=\"turns\">"
    );
    for (index, report) in reports.iter().enumerate() {
        html += &section(index, report);
    }
    let ended = last.ended().map_or("Here the record ends".to_string(), |ended| ended.sentence);
    let _ = writeln!(
        html,
        "<section data-turn=\"{}\"><div class=\"board\">{}</div><div><h2>The end</h2><p>{}.</p></div></section>",
        reports.len(),
        S::svg(last.position()),
        escaped(&ended)
    );
    html += "</div>\n<ol id=\"list\">\n";
    for (index, report) in reports.iter().enumerate() {
        let class = if summary.worst.contains(&index) { " class=\"worst\"" } else { "" };
        let (label, played) = (&report.label, escaped(&report.played));
        let loss = report
            .loss
            .filter(|&loss| loss > 0)
            .map_or(String::new(), |loss| format!(" <i>−{loss}</i>"));
        let _ =
            writeln!(html, "<li data-turn=\"{index}\"{class}><b>{label}</b> {played}{loss}</li>");
    }
    html += "</ol>\n</main>\n";
    if let Some(legend) = S::piece_legend() {
        let positions = reports.iter().map(|report| &report.before);
        let positions = positions.chain([last.position()]);
        let details: Vec<Value> = positions.filter_map(S::piece_details).collect();
        let pieces = json!({ "legend": legend, "positions": details });
        let _ = writeln!(html, "<script type=\"application/json\" id=\"pieces\">{pieces}</script>");
    }
    html + "<script>" + SCRIPT + "</script>\n</body></html>\n"
}

/// The board before a turn, and what was found about it.
fn section<S: Interactive>(index: usize, report: &TurnReport<S>) -> String {
    let TurnReport { label, played, loss, .. } = report;
    let side = S::SIDES[report.side as usize];
    let told =
        |verdict: Option<Verdict>| verdict.map_or("no score".to_string(), |it| it.to_string());
    let mut html = format!(
        "<section data-turn=\"{index}\"><div class=\"board\">{}</div><div><h2>{label}, {side}</h2>\
         <p>Played: <b>{}</b> ({})</p>",
        S::svg(&report.before),
        escaped(played),
        told(report.verdict)
    );
    match loss {
        Some(loss) if *loss > 0 => {
            let _ = write!(
                html,
                "<p>Lost: <b>{loss}</b> points</p><p>Better ({}):</p><ol class=\"pv\">",
                told(report.best_verdict)
            );
            for turn in report.pv() {
                let _ = write!(html, "<li>{}</li>", escaped(turn));
            }
            html += "</ol>";
        }
        Some(_) => html += "<p>Nothing was better.</p>",
        None => {}
    }
    html + "</div></section>\n"
}

/// The chance of the first side to win, before the first turn and after each.
fn graph<S: Interactive>(reports: &[TurnReport<S>]) -> String {
    let for_first = |side: Side, verdict: Option<Verdict>| {
        let own = verdict.map_or(0.5, |verdict| chance::<S>(verdict));
        if side == Side::First { own } else { 1.0 - own }
    };
    let before = reports.first().map(|report| for_first(report.side, report.best_verdict));
    let after = reports.iter().map(|report| for_first(report.side, report.verdict));
    let chances: Vec<f64> = before.into_iter().chain(after).collect();
    let x = |index: usize| WIDTH * index as f64 / (chances.len().max(2) - 1) as f64;
    let y = |chance: f64| HEIGHT * (1.0 - chance);
    let points: Vec<String> = chances
        .iter()
        .enumerate()
        .map(|(index, &chance)| format!("{:.1},{:.1}", x(index), y(chance)))
        .collect();
    let mut svg = format!(
        "<svg id=\"graph\" viewBox=\"-10 -10 {} {}\" role=\"img\" aria-label=\"The chances of {} turn by turn\">\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f1ede4\"/>\
         <line x2=\"{WIDTH}\" y1=\"{mid}\" y2=\"{mid}\" stroke=\"#bbb\"/>\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#345\" stroke-width=\"2\"/>",
        WIDTH + 20.0,
        HEIGHT + 20.0,
        S::SIDES[0],
        points.join(" "),
        mid = HEIGHT / 2.0,
    );
    for (index, &chance) in chances.iter().enumerate() {
        let _ = write!(
            svg,
            "<circle data-turn=\"{index}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"#345\"><title>{:.0} %</title></circle>",
            x(index),
            y(chance),
            100.0 * chance
        );
    }
    svg + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Without a script, all turns are there one below the other.
const STYLE: &str = "body{font:16px/1.4 sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#222;background:#fff}\
h1{font-size:1.4rem}p{margin:.2rem 0}.keys{color:#666}#graph{width:100%;height:auto}\
main{display:flex;gap:1rem;align-items:flex-start;flex-wrap:wrap}#turns{flex:2 1 26rem}\
section{margin-bottom:1rem}.board svg{width:100%;max-width:28rem}\
#list{flex:1 1 14rem;max-height:36rem;overflow:auto;padding:0;margin:0;list-style:none}\
#list li{padding:.1rem .4rem;cursor:pointer}#list i{color:#a33}.worst{background:#fbe3df}\
.now{outline:2px solid #345}circle[data-turn]{cursor:pointer}circle.now{fill:#c33}.pv{margin:.2rem 0;padding-left:1.4rem}\
.one section{display:none}.one section.now{display:block;outline:none}\
.piece table{border-collapse:collapse}.piece td{width:1.6rem;text-align:center;border:1px solid #ccc}\
.piece .turn{background:#d5e8d0}.piece .here{background:#345;color:#fff}";

const SCRIPT: &str = "'use strict';\
const all=[...document.querySelectorAll('[data-turn]')];\
const sections=[...document.querySelectorAll('section')];\
let now=0;\
function go(turn){now=Math.max(0,Math.min(sections.length-1,turn));\
for(const item of all){const is=+item.dataset.turn===now;item.classList.toggle('now',is);\
if(is&&item.tagName==='LI')item.scrollIntoView({block:'nearest'});}}\
document.getElementById('turns').classList.add('one');\
addEventListener('keydown',event=>{const to={ArrowLeft:now-1,ArrowRight:now+1,Home:0,End:sections.length-1}[event.key];\
if(to!==undefined){event.preventDefault();go(to);}});\
addEventListener('click',event=>{const item=event.target.closest('[data-turn]');if(item)go(+item.dataset.turn);\
const board=event.target.closest('.board svg');if(board&&pieces)show(board,event);});\
const data=document.getElementById('pieces');\
const pieces=data&&JSON.parse(data.textContent);\
function squareAt(board,event){const box=board.getBoundingClientRect(),size=board.viewBox.baseVal.width,width=(size-30)/8;\
const x=(event.clientX-box.left)/box.width*size-25,y=(event.clientY-box.top)/box.height*size-5;\
const column=Math.floor(x/width),row=7-Math.floor(y/width);\
return column>=0&&column<8&&row>=0&&row<8?'abcdefgh'[column]+(row+1):null;}\
function element(tag,text,inside){const made=document.createElement(tag);made.textContent=text;inside.append(made);return made;}\
function show(board,event){const section=board.closest('section');\
const old=section.querySelector('.piece');if(old)old.remove();\
const piece=pieces.positions[+section.dataset.turn][squareAt(board,event)];if(!piece)return;\
const told=document.createElement('div');told.className='piece';section.append(told);\
element('h3',piece.name,told);\
element('p','Its distances; what it can reach within a turn is green, the others are guesses:',told);\
const table=element('table','',told);\
for(let row=0;row<8;row++){const cells=element('tr','',table);\
for(let column=0;column<8;column++){const steps=parseInt(piece.distances[8*row+column],16);\
const cell=element('td',steps,cells);cell.className=steps===0?'here':steps<=4?'turn':'';}}\
element('p',piece.moved?'The other side can move it to (with steps): '+piece.moved+'.':'The other side cannot move it.',told);\
element('p',piece.captured?'The other side can capture it in '+piece.captured+' steps.':'The other side cannot capture it.',told);\
for(const [kind,values] of piece.features){const [name,parameters]=pieces.legend[kind];\
element('p',name+': '+parameters.map((parameter,index)=>parameter+' '+values[index]).join(', '),told);}}\
go(0);";
