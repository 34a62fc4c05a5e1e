import Foundation
import PlimsollDocuments
import PlimsollDomain
import Synchronization

/// A phone that knows one key alone, and asks again and again until it is stopped.
final class Phone: Sendable {
    /// What it has seen.
    struct Findings {
        var checked = 0
        var failures: [String] = []
    }

    private struct State {
        var findings = Findings()
        var isStopped = false
    }

    private let path: String
    private let port: UInt16
    private let keys: TrustedKeys
    private let state = Mutex(State())

    /// Asks on a thread of its own, since it waits for each answer.
    init(_ path: String, on port: UInt16, knowing key: KeyID, of keys: PublishedKeys) {
        self.path = path
        self.port = port
        self.keys = TrustedKeys(PublishedKeys(keys.keys.filter { $0.id == key }))
        Thread { [self] in run() }.start()
    }

    var findings: Findings { state.withLock(\.findings) }

    func stop() { state.withLock { $0.isStopped = true } }

    private func run() {
        do {
            let connection = try HTTPConnection(port: port)
            while !state.withLock(\.isStopped) {
                let answer = try connection.send("GET", path)
                // What it was asked before the phone was told to stop, and answered after, is not
                // the phone's any more.
                state.withLock { if !$0.isStopped { note(answer, in: &$0.findings) } }
            }
        } catch {
            state.withLock { $0.findings.failures.append("\(path): \(error)") }
        }
    }

    private func note(_ answer: HTTPAnswer, in findings: inout Findings) {
        // Before its key signs there is nothing for a phone.
        if answer.status == 404, findings.checked == 0 { return }
        do {
            let signature = try DistributionSignature(
                signatureHeader: answer.fields["x-amz-meta-signature"],
                dateHeader: answer.fields["x-amz-meta-signature-date"]
            )
            guard answer.status == 200, (try? signature.verify(answer.body, keys: keys)) != nil
            else {
                findings.failures.append("\(path): \(answer.status) by \(signature.keyID)")
                return
            }
            findings.checked += 1
        } catch {
            findings.failures.append("\(path): \(answer.status), \(error)")
        }
    }
}
