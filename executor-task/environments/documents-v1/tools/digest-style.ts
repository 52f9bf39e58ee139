/** The one style sheet of the digest; the page's policy allows it by its hash and nothing else. */
export const digestStyle = `
:root{color-scheme:light dark;--ink:#1c2733;--soft:#5b6b7a;--line:#d9e1e8;--paper:#fff;--wash:#f3f6f9;--accent:#17608a}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9fb0bf;--line:#2f3c48;--paper:#141b22;--wash:#1c252e;--accent:#6fb7e0}}
*{box-sizing:border-box}
body{margin:0;background:var(--wash);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,header{max-width:60rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:3rem}
h1{font-size:2.1rem;line-height:1.2;margin:0}
h2{font-size:1.35rem;line-height:1.3;margin:0 0 .25rem}
h3{font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);margin:1.4rem 0 .4rem}
p{margin:.4rem 0}
a{color:var(--accent)}
.lead{color:var(--soft);font-size:1.1rem}
.figures{display:flex;flex-wrap:wrap;gap:2rem;margin:1.5rem 0;padding:0;list-style:none}
.figures b{display:block;font-size:1.6rem;line-height:1.2}
.figures li,.meta{color:var(--soft)}
section{background:var(--paper);border:1px solid var(--line);border-radius:.6rem;padding:1.5rem;margin:0 0 1.25rem;overflow-wrap:anywhere}
.outline{margin:0;padding:0;list-style:none;columns:2;column-gap:2rem}
.outline li{break-inside:avoid}
.level-2{padding-left:1.1rem;color:var(--soft)}
.level-3{padding-left:2.2rem;color:var(--soft)}
.terms{display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:0;list-style:none}
.terms li{background:var(--wash);border:1px solid var(--line);border-radius:1rem;padding:.05rem .7rem}
.terms span{color:var(--soft);font-size:.85em}
blockquote{margin:0;padding-left:1rem;border-left:3px solid var(--accent)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:right}
th:first-child,td:first-child{text-align:left}
thead th{color:var(--soft);font-weight:600}
.none{color:var(--line)}
@media (max-width:40rem){.outline{columns:1}}
@media print{body{background:none}section{border:0;padding:0;break-inside:avoid}}
`;
