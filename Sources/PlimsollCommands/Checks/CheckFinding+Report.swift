import PlimsollAPI
import PlimsollDomain

extension [CheckFinding] {
    /// What looks like a mistake, for whoever decides on it.
    var blocks: [Report.Block] {
        map { .line("check     \($0.check.rawValue): \(legible($0.sentence))") }
    }
}
