import Foundation
import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

extension ScriptedService.Reply {
    /// A document as the edge serves it, with the signature of a key.
    init(_ document: [UInt8], signedBy publisher: Publisher) throws {
        let signed = try publisher.headers(for: Data(document))
        let signature = try #require(HTTPField.Name("x-amz-meta-signature"))
        let date = try #require(HTTPField.Name("x-amz-meta-signature-date"))
        self.init(bytes: document, headers: [signature: signed.signature, date: signed.date])
    }
}

extension Samples {
    /// What a service says of the keys of its apps.
    static func keys(_ publisher: Publisher, of app: String = "harbour") throws -> KeyList {
        KeyList(keys: [
            KeyAnswer(
                id: try #require(KeyID(publisher.keyID)),
                app: try #require(AppSlug(app)),
                state: .active,
                position: Position(4),
                publicKey: publisher.pem
            )
        ])
    }
}
