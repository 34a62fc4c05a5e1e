import Foundation
import HTTPTypes
import Hummingbird
import Mustache
import NIOCore
import PlimsollDocuments

/// What a screen shows: its template, and what stands in it.
struct Page {
    let template: String
    /// What the window is called; the templates take it from here too.
    let title: String
    var status = HTTPResponse.Status.ok
    var fields: Fields

    init(_ template: String, _ title: String, _ fields: KeyValuePairs<String, Any?> = [:]) {
        (self.template, self.title) = (template, title)
        self.fields = Fields(all: fields)
    }
}

/// The templates, read once; one that cannot be read stops the service at its start.
struct Templates: Sendable {
    private let library: MustacheLibrary

    static let all = Templates()

    /// Each by its name: what is embedded of the folder `Templates`.
    static var files: [(name: String, bytes: [UInt8])] {
        let ending = ".mustache"
        return PackageResources.files.filter { $0.name.hasSuffix(ending) }
            .map { (name: String($0.name.dropLast(ending.count)), bytes: $0.bytes) }
    }

    private init() {
        var library = MustacheLibrary()
        MustacheContentTypes.register(Markup(), named: Markup.name)
        for (name, bytes) in Self.files {
            // Each needs it for itself: what a partial has in it is escaped as the partial says.
            let text = "{{% CONTENT_TYPE: \(Markup.name)}}" + String(decoding: bytes, as: UTF8.self)
            do {
                try library.register(text, named: name)
            } catch {
                preconditionFailure("the template \(name) cannot be read: \(error)")
            }
        }
        self.library = library
    }

    /// The page; a refusal in it leads to the controls that it is about, which only the page knows, and
    /// each of them says that it is wrong and why.
    func text(of page: Page, _ surroundings: Fields) -> String {
        var fields = page.fields.present.merging(surroundings) { own, _ in own }
        let text = rendered(page.template, fields)
        guard let problem = fields["problem"] as? Fields else { return text }
        var controls = RefusedControls(names: text.controls)
        fields["problem"] = problem.leading(to: &controls)
        return rendered(page.template, fields).marking(controls.faults)
    }

    private func rendered(_ template: String, _ fields: Fields) -> String {
        guard let text = library.render(fields, withTemplate: template) else {
            preconditionFailure("there is no template \(template)")
        }
        return text
    }
}

/// The controls of a page, and where the page says what is wrong with them.
private struct RefusedControls {
    let names: Set<Substring>
    /// The id of the first thing that is said about a control: of thousands nobody would hear the end.
    private(set) var faults: [Substring: String] = [:]
    private var count = 0

    init(names: Set<Substring>) { self.names = names }

    /// What pages call otherwise than requests do: another form of theirs has that name, or none.
    private static let others = [
        "target": "value", "name": "settingsName", "fallbackLanguage": "fallback",
        "shippedLanguages": "shipped", "reason": "settingsReason",
    ]

    /// One more thing that is said: the control that it is about, and its id; `nil` where no control of
    /// the page has the name.
    mutating func fault(about name: String) -> (control: String, id: String)? {
        let called = [name, Self.others[name]].compactMap(\.self)
        guard let control = called.first(where: { names.contains(Substring($0.escapedAsMarkup)) })
        else { return nil }
        count += 1
        let (written, id) = (Substring(control.escapedAsMarkup), "fault-\(count)")
        if faults[written] == nil { faults[written] = id }
        return (control, id)
    }
}

extension Fields {
    /// The same refusal, with the control that each part of it is about, where there is one.
    fileprivate func leading(to controls: inout RefusedControls) -> Fields {
        var fields = self
        fields["control"] = NSNull()
        if let name = self["about"] as? String, let fault = controls.fault(about: name) {
            fields["control"] = fault.control
            fields["fault"] = fault.id
        }
        fields["faults"] = (self["faults"] as? [Fields])?.map { $0.leading(to: &controls) }
        return fields
    }
}

extension String {
    /// The names in a page that one control has, whose id is the same.
    ///
    /// All of them at once, since thousands of things may have been refused.
    fileprivate var controls: Set<Substring> {
        let parts = utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        var counts: [Substring: Int] = [:]
        var leading: Set<Substring> = []
        for (index, part) in parts.enumerated().dropLast() where part.ends(in: "name=") {
            let name = Substring(parts[index + 1])
            counts[name, default: 0] += 1
            if index > 1, part.elementsEqual(" name=".utf8), parts[index - 2].ends(in: " id="),
                parts[index - 1].elementsEqual(name.utf8)
            {
                leading.insert(name)
            }
        }
        return leading.filter { counts[$0] == 1 }
    }

    /// The page with the controls of these names marked as wrong, and described by what has the ids.
    fileprivate func marking(_ faults: [Substring: String]) -> String {
        guard !faults.isEmpty else { return self }
        var parts = utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            .map { Substring($0) }
        for index in parts.indices.dropFirst(2).dropLast() where parts[index] == " name=" {
            guard let fault = faults[parts[index + 1]] else { continue }
            // The rest of the tag may name a help already.
            let rest = stride(from: index + 2, to: parts.count - 1, by: 2)
                .prefix { !parts[$0].contains(">") }
            let help = rest.first { parts[$0].hasSuffix(" aria-describedby=") }
            if let help { parts[help + 1] = "\(fault) \(parts[help + 1])" }
            let description = help == nil ? " aria-describedby=\"\(fault)\"" : ""
            let head = parts[index - 2].dropLast(" id=".count)
            parts[index - 2] = "\(head) aria-invalid=\"true\"\(description) id="
        }
        return parts.joined(separator: "\"")
    }
}

extension Substring.UTF8View {
    fileprivate func ends(in text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}

/// How what stands in a template is escaped; the library's own way looks at characters.
private struct Markup: MustacheContentType {
    static let name = "PAGE"

    func escapeText(_ text: String) -> String { text.escapedAsMarkup }
}

extension Page {
    func response(_ surroundings: Fields) -> Response {
        let text = Templates.all.text(of: self, surroundings.merging(["title": title]) { $1 })
        return Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
