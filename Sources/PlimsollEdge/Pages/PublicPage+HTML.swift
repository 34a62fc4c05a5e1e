import PlimsollDocuments
import PlimsollDomain

extension PublicPage {
    /// Every text of others goes through the holes of ``HTML``.
    var html: HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(manifest.app.text): what is published</title>
        <style>\(PublicPageStyle.sheet)</style>
        </head>
        <body>
        <main>
        <h1>What is published of <code>\(manifest.app.text)</code></h1>
        <p>Phones decide by signed documents which versions of the app still run. This page says what
        stands in them. It is made when they are published, in English, and is not signed: the
        documents are what counts.</p>
        \(publication)
        \(HTML(joining: files.compactMap(platform)))
        \(signatures)
        \(fileList)
        \(check)
        </main>
        </body>
        </html>

        """
    }

    private var publication: HTML {
        let issue = manifest.issue
        return """
            <section aria-labelledby="publication">
            <h2 id="publication">Publication \("\(issue.sequence)")</h2>
            <dl>
            <div><dt>Published</dt><dd>\(time(issue.issuedAt))</dd></div>
            <div><dt>Signed anew before</dt><dd>\(time(issue.expiresAt))</dd></div>
            <div><dt>State of the record</dt><dd>event \("\(issue.position)")</dd></div>
            \(isDefault ? defaultNote : "")
            </dl>
            </section>
            """
    }

    private var defaultNote: HTML {
        """
        <div><dt>Default app</dt><dd>its documents are also found at the addresses without
        <code>/\(manifest.app.text)</code></dd></div>
        """
    }

    private func time(_ instant: Instant) -> HTML {
        let time = CivilTime(instant)
        return "<time datetime=\"\(instant.rfc3339)\">\(time.mailText) UTC</time>"
    }

    // MARK: Platforms

    /// What a phone of a platform reads; `nil` for a file that is no phone's document.
    private func platform(_ file: PublicFile) -> HTML? {
        let found = Platform.allCases.first {
            AvailabilityDocument.fileName(for: $0)?.text == file.name
        }
        guard let found else { return nil }
        return """
            <section aria-labelledby="\(found.rawValue)">
            <h2 id="\(found.rawValue)">\(found.name)</h2>
            <p class="fine">As since publication \("\(file.file.description.sequence)").</p>
            \(document(file, found))
            </section>
            """
    }

    private func document(_ file: PublicFile, _ platform: Platform) -> HTML {
        let document = try? AvailabilityDocument(
            parsing: file.file.body,
            platform: platform,
            profile: .minimal,
            emptyTexts: .dropped
        ).document
        guard let document else { return "<p>This program cannot read the document.</p>" }
        return HTML(
            joining: platform.thresholds.map { threshold($0, document[$0], on: platform) }
        )
    }

    private func threshold(
        _ name: ThresholdName,
        _ threshold: Threshold,
        on platform: Platform
    ) -> HTML {
        let value: HTML =
            threshold.value.map { "<b class=\"value\">\("\($0)")</b>" }
            ?? "<span class=\"none\">none</span>"
        let languages = Set(threshold.titles.keys).union(threshold.descriptions.keys).sorted()
        let texts = languages.map {
            text($0, threshold.titles[$0]?.text, threshold.descriptions[$0]?.text)
        }
        let list: HTML = texts.isEmpty ? "" : "<dl class=\"texts\">\(HTML(joining: texts))</dl>"
        return """
            <div class="threshold">
            <h3>\(name.spoken(on: platform)): \(value)</h3>
            <p class="fine">\(name.meaning)</p>
            \(list)
            </div>
            """
    }

    private func text(_ language: LanguageTag, _ title: String?, _ description: String?) -> HTML {
        let heading = title.map { "<p><b>\($0)</b></p>" as HTML } ?? ""
        let body = description.map { "<p>\($0)</p>" as HTML } ?? ""
        return """
            <div><dt>\(language.text)</dt>
            <dd lang="\(language.text)" dir="auto">\(heading)\(body)</dd></div>
            """
    }

    // MARK: Signatures

    private var signatures: HTML {
        let lines: [HTML] = keys.map { key in
            let id: HTML = "<code>\(key.id.text)</code>"
            let address = "\(EdgeComposition.root)/keys/\(key.id).pem"
            return key.isServed ? "<li><a href=\"\(address)\">\(id)</a></li>" : "<li>\(id)</li>"
        }
        return """
            <section aria-labelledby="signatures">
            <h2 id="signatures">Who signed it</h2>
            <p>The documents carry signatures of:</p>
            <ul>\(HTML(joining: lines))</ul>
            \(proof)
            </section>
            """
    }

    private var proof: HTML {
        switch cosignatures {
        case nil:
            """
            <p>No proof that the transparency log recorded it is here yet; it follows a publication
            within seconds.</p>
            """
        case 0?:
            """
            <p>Proven: the transparency log recorded it. No witness that is known here cosigned that
            log.</p>
            """
        case let count?:
            """
            <p>Proven: the transparency log recorded it. Known witnesses that cosigned that log:
            <b>\("\(count)")</b>.</p>
            """
        }
    }

    // MARK: Files

    private var fileList: HTML {
        """
        <section aria-labelledby="files">
        <h2 id="files">Files</h2>
        <ul class="files">
        \(HTML(joining: files.map(line)))
        \(hasManifest ? manifestLines : "")
        \(cosignatures == nil ? "" : link("proof.json", "that the log recorded the manifest"))
        \(hasLog ? logLines : "")
        </ul>
        </section>
        """
    }

    private func line(_ file: PublicFile) -> HTML {
        let description = file.file.description
        let ambiguous = file.keys.count > 1 ? file.keys : []
        let others: [HTML] = ambiguous.map { key in
            let address = "\(address)/keys/\(key)/\(file.name)"
            return " <a href=\"\(address)\">as <code>\(key.text)</code> signed it</a>"
        }
        return """
            <li><a href="\(address)/\(file.name)">\(file.name)</a>
            <span class="fine">\("\(description.length)") bytes, publication
            \("\(description.sequence)"), SHA-256 <code>\(description.digest.hex)</code></span>
            \(HTML(joining: others))</li>
            """
    }

    private var manifestLines: HTML {
        """
        \(link(Manifest.fileName, "all files and their signatures"))
        \(link(Manifest.signaturesFileName, "the signatures of that list"))
        """
    }

    private var logLines: HTML {
        """
        <li><a href="\(EdgeComposition.root)/log/checkpoint">log/checkpoint</a>
        <span class="fine">the newest signed state of the transparency log</span></li>
        <li><a href="\(EdgeComposition.root)/log/key">log/key</a>
        <span class="fine">the key that is to have signed it</span></li>
        """
    }

    private func link(_ name: String, _ meaning: String) -> HTML {
        "<li><a href=\"\(address)/\(name)\">\(name)</a> <span class=\"fine\">\(meaning)</span></li>"
    }

    // MARK: Checking

    /// Takes a document as phones read it where there is one.
    private var check: HTML {
        guard let name = (files.first { $0.name.hasPrefix("availability-") } ?? files.first)?.name
        else { return "" }
        return """
            <section aria-labelledby="check">
            <h2 id="check">Check it yourself</h2>
            <p>Take the keys from somebody whom you trust and not from here: <code>key.pem</code> is the
            app's, <code>log.key</code> the log's. <code>edge</code> is where you found this page.</p>
            <pre tabindex="0"><code>edge=https://config.example.com
            plimsoll verify url "$edge\(address)/\(name)" --key key.pem</code></pre>
            <p>That the log recorded it as well, once its proof is here:</p>
            <pre tabindex="0"><code>plimsoll verify url "$edge\(address)/\(name)" \\
              --key key.pem --log-key log.key</code></pre>
            <p>Without the program, by the script <code>Examples/verify/verify.py</code> of its
            source, which has nothing of the program in it:</p>
            <pre tabindex="0"><code>mkdir seen
            for name in \(name) manifest.json manifest.json.sig proof.json; do
                curl -fsS -o "seen/$name" "$edge\(address)/$name"
            done
            python3 verify.py --key key.pem --log-key log.key seen \(name)</code></pre>
            </section>
            """
    }
}

extension ThresholdName {
    fileprivate func spoken(on platform: Platform) -> String {
        switch self {
        case .minimumOS where platform == .android: "Minimum API level"
        case .minimumOS: "Minimum system version"
        case .recommendedOS: "Recommended system version"
        case .minimumApp: "Minimum app version"
        case .recommendedApp: "Recommended app version"
        }
    }

    fileprivate var meaning: String {
        isMinimum
            ? "Below it the app does not run, and says:"
            : "Below it the app runs, and recommends an update:"
    }
}
