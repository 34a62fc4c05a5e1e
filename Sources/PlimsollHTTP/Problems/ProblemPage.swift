import Crypto
import Foundation
import PlimsollAPI

/// The page that a problem's type leads to: what it means, how to clear it, and an example.
struct ProblemPage {
    let html: HTML

    init(_ code: ProblemCode) {
        let explanation = code.explanation
        html = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(code.title) – Plimsoll</title>
            <style>\(ProblemPage.style)</style>
            <h1>\(code.title)</h1>
            <p><code>\(code.type)</code>, status \(String(code.status))</p>
            <h2>What it means</h2>
            <p>\(HTML(sentence: capitalized(explanation.meaning))).</p>
            <h2>How to clear it</h2>
            <p>\(HTML(sentence: explanation.remedy))</p>
            <h2>An example</h2>
            <pre>\(example(of: code))</pre>
            </html>

            """
    }

    /// Loads nothing; the one style is allowed by its digest (CSP 3, 2.3.1).
    static let policy =
        "default-src 'none'; style-src 'sha256-\(digest(of: style.text))'; base-uri 'none';"
        + " form-action 'none'; frame-ancestors 'none'"

    private static let style: HTML = """
        body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}\
        pre{overflow:auto;padding:1rem;background:#8881;border-radius:.3rem}\
        :root{color-scheme:light dark}
        """
}

private func digest(of text: String) -> String {
    Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
}

/// A sentence that begins with code keeps its letters.
private func capitalized(_ sentence: String) -> String {
    sentence.prefix(1).uppercased() + sentence.dropFirst()
}

private func example(of code: ProblemCode) -> String {
    let problem = code.example
    let lines = [
        "HTTP/1.1 \(code.status)", "Content-Type: \(Problem.mediaType)", "",
        String(decoding: problem.bytes, as: UTF8.self),
    ]
    return lines.joined(separator: "\n")
}
