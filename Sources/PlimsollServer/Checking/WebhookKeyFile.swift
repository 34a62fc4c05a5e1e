import PlimsollSystem
import PlimsollService

/// The file with the key that the secrets of webhooks are made from, as somebody looks at it on the
/// machine of a service.
package struct WebhookKeyFile: Sendable {
    private let key: WebhookKey

    /// Takes the absolute path of a data folder.
    package init(of data: String) {
        key = WebhookKey(Path(data) / "keys" / WebhookKey.fileName)
    }

    /// Why the key cannot be used; `nil` where it can be, or where there is none yet.
    package var fault: String? {
        do throws(WebhookKeyError) {
            _ = try key.id()
            return nil
        } catch {
            return error.description
        }
    }
}
