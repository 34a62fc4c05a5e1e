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

    func text(of page: Page, _ surroundings: Fields) -> String {
        let fields = page.fields.present.merging(surroundings) { own, _ in own }
        guard let text = library.render(fields, withTemplate: page.template) else {
            preconditionFailure("there is no template \(page.template)")
        }
        return text
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
