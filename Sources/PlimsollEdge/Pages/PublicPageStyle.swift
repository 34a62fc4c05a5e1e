import PlimsollDocuments

/// How the pages look; their policy names it by its digest.
enum PublicPageStyle {
    static let sheet: HTML = """
        :root { color-scheme: light dark; --text: #16202b; --soft: #55626f; --line: #c9d1d9;
          --back: #f6f7f9; --card: #fff; --link: #0b5394; --focus: #b35900; }
        @media (prefers-color-scheme: dark) {
          :root { --text: #e6edf3; --soft: #a3b1bf; --line: #38444f; --back: #10161d;
            --card: #19222c; --link: #7ab8f5; --focus: #ffb454; }
        }
        * { box-sizing: border-box; }
        html { font: 100%/1.45 system-ui, "DejaVu Sans", sans-serif; background: var(--back);
          color: var(--text); }
        body { margin: 0; overflow-wrap: anywhere; }
        main { max-width: 50rem; margin: 0 auto; padding: 1rem; }
        h1 { font-size: 1.5rem; }
        h2 { font-size: 1.15rem; margin: 0 0 .5rem; }
        h3 { font-size: 1rem; margin: 0; }
        section { background: var(--card); border: 1px solid var(--line); border-radius: 6px;
          padding: 1rem; margin: 0 0 1rem; overflow: hidden; }
        a { color: var(--link); }
        :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
        code, pre, .value { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace;
          font-size: .92em; }
        pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .6rem; }
        dl { margin: 0; }
        dl > div { display: grid; grid-template-columns: minmax(5rem, 11rem) minmax(0, 1fr);
          gap: .2rem 1rem; padding: .3rem 0; }
        dt { font-weight: 600; }
        dd { margin: 0; }
        dd p { margin: 0 0 .3rem; white-space: pre-wrap; unicode-bidi: plaintext; }
        .texts > div { grid-template-columns: minmax(4rem, 6rem) minmax(0, 1fr); }
        @media (max-width: 30rem) { .texts > div { grid-template-columns: minmax(0, 1fr); } }
        .threshold { border-top: 1px solid var(--line); padding: .6rem 0; }
        .fine { color: var(--soft); font-size: .9em; margin: .2rem 0; }
        .none { color: var(--soft); font-style: italic; font-weight: 400; }
        .files { padding-left: 1.2rem; }
        .files li { margin: .4rem 0; }
        .files .fine { display: block; }
        """
}
