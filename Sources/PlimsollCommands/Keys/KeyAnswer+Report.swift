import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension KeyAnswer {
    func report(dryRun: Bool) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        return Report(json, [.line("\(id) of \(app): \(state.rawValue)")])
    }
}
