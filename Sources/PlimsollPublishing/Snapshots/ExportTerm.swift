package import FoundationEssentials
package import PlimsollStore
package import PlimsollSystem

/// The export folder's own fence: only the latest leader changes what is current in it.
///
/// A leader has a folder of its own there, named by its epoch and by itself: a database that has lost
/// a lease may give one epoch twice. Whatever becomes current (a link, the list of keys, a
/// checkpoint) is prepared in that folder and renamed from it, and whoever leads next takes the
/// folder away before it looks at anything. So in the very step that switches the kernel says
/// whether somebody else leads by now: what is to be renamed is gone. There is no lock, since one
/// who is frozen would hold it for as long.
package struct ExportTerm: Hashable, Sendable {
    private let epoch: Epoch
    private let terms: Path
    private let name: String
    private var place: Path { terms / name }

    /// This process, at every folder.
    package static let holder = UUID()

    /// How often a folder is tried to be taken away into which its leader goes on writing.
    private static let attemptsMaximum = 100

    package init(_ epoch: Epoch, in folder: ExportFolder, of holder: UUID = holder) {
        self.epoch = epoch
        terms = folder.terms
        name = "\(epoch)-\(holder.uuidString.lowercased())"
    }

    /// Makes this leader the latest, and takes away the folders of all before it.
    ///
    /// Its own folder is there before it looks for others: of two who begin at once at least one
    /// sees the other, and the later one stays. One with the same epoch counts as later, so that of
    /// two both may give way, and each takes a higher one.
    package func begin() throws {
        try place.createFolder()
        try FaultPoint.reached("export.term.created")
        let others = try others()
        if let latest = others.map(\.epoch).max(), latest >= epoch {
            try? place.removeTree()
            throw ExportSuperseded(epoch: epoch, latest: latest)
        }
        for other in others { try takeAway(terms / other.name) }
        try FaultPoint.reached("export.term.begun")
    }

    /// Makes a link lead elsewhere; ``Path/synchronizeFolder()`` on its folder makes that last.
    package func point(_ link: Path, to destination: String) throws {
        try fenced { () throws(FileError) in
            try link.pointSymbolicLink(to: destination, durability: .later, preparedIn: place)
        }
    }

    /// Replaces a file, durably.
    package func write(_ bytes: [UInt8], to path: Path) throws {
        try fenced { () throws(FileError) in try path.writeDurably(bytes, preparedIn: place) }
    }

    /// Takes a folder away with all that is in it, in one step for whoever looks at it.
    package func remove(_ folder: Path, named name: String) throws {
        let aside = place / name
        try aside.removeTree()
        try fenced { () throws(FileError) in try folder.rename(to: aside) }
        try FaultPoint.reached("export.term.taken-away")
        try aside.removeTree()
    }

    /// Whether this leader has no place any more though no later one has taken it: the folder was emptied.
    func isLost() throws(FileError) -> Bool {
        guard try place.status() == nil else { return false }
        return try others().allSatisfy { $0.epoch < epoch }
    }

    /// Tells a folder that a later leader took away from whatever else a disk refuses.
    private func fenced(_ body: () throws(FileError) -> Void) throws {
        do throws(FileError) {
            try body()
        } catch {
            guard error.isMissing, try !place.isFolder() else { throw error }
            let latest = (try? others())?.map(\.epoch).max()
            throw ExportSuperseded(epoch: epoch, latest: latest)
        }
    }

    /// The folders of all other leaders that are there.
    private func others() throws(FileError) -> [(name: String, epoch: Epoch)] {
        try terms.entriesIfPresent().compactMap { other in
            let number = other.prefix { $0 != "-" }
            guard other != name, let epoch = Int64(number).flatMap(Epoch.init(rawValue:)) else {
                return nil
            }
            return (other, epoch)
        }
    }

    private func takeAway(_ place: Path) throws(FileError) {
        for attempt in 1... {
            do throws(FileError) {
                return try place.removeTree()
            } catch {
                // Its leader may be at work, or another one takes it away as well.
                let isPassing = error.isMissing || error.isAlreadyThere
                guard isPassing, attempt < Self.attemptsMaximum else { throw error }
            }
        }
    }
}

/// Another instance leads by now: nothing was changed.
package struct ExportSuperseded: Error, Equatable, Sendable, CustomStringConvertible {
    package let epoch: Epoch
    /// `nil` where the folder was emptied.
    package let latest: Epoch?

    package var description: String {
        guard let latest else {
            return "the folder of this leader, of epoch \(epoch), was taken away"
        }
        if latest == epoch { return "another instance was given epoch \(epoch) as well" }
        return "this instance led in epoch \(epoch); another one leads in epoch \(latest)"
    }
}
