import HashTreeCollections

/// What is kept of the changes that can be decided no more.
///
/// They are most of what has ever been, so each takes sixteen bytes: they stand side by side in
/// pages, and name their app by its number.
struct ClosedChanges: Codable, Equatable, Sendable {
    private struct Entry: Codable, Equatable, Sendable {
        let app: Int32
        let state: ChangeState
        var revision: Revision
    }

    /// Copied as a whole where somebody holds the state of before.
    private static let pageSize: Int64 = 64

    private static let blankPage = [Entry?](repeating: nil, count: Int(pageSize))

    private var pages: TreeDictionary<Int64, [Entry?]> = [:]
    private var apps: [AppSlug] = []
    private var numbers: TreeDictionary<AppSlug, Int32> = [:]
    /// The approvals that had lapsed by the end, of the changes that had such.
    private var lapsed: TreeDictionary<ChangeID, [Approval]> = [:]

    func state(of id: ChangeID) -> ChangeState? { self[id]?.state }

    func app(of id: ChangeID) -> AppSlug? { self[id].map { apps[Int($0.app)] } }

    func revision(of id: ChangeID) -> Revision? { self[id]?.revision }

    func lapsedApprovals(of id: ChangeID) -> [Approval]? { lapsed[id] }

    mutating func close(_ change: Change, at revision: Revision) {
        let app = number(of: change.app)
        self[change.id] = Entry(app: app, state: change.state, revision: revision)
        let lapsed = change.approvals.filter { $0.lapse != nil }
        if !lapsed.isEmpty { self.lapsed[change.id] = lapsed }
    }

    /// Something was written about a change; answers whether it is one of these.
    mutating func advance(_ id: ChangeID, to revision: Revision) -> Bool {
        guard var entry = self[id] else { return false }
        entry.revision = revision
        self[id] = entry
        return true
    }

    private mutating func number(of app: AppSlug) -> Int32 {
        if let known = numbers[app] { return known }
        let number = Int32(apps.count)
        apps.append(app)
        numbers[app] = number
        return number
    }

    private subscript(id: ChangeID) -> Entry? {
        get {
            let (page, place) = id.rawValue.quotientAndRemainder(dividingBy: Self.pageSize)
            return pages[page]?[Int(place)]
        }
        set {
            let (page, place) = id.rawValue.quotientAndRemainder(dividingBy: Self.pageSize)
            pages[page, default: Self.blankPage][Int(place)] = newValue
        }
    }
}
