import Glibc

/// A file that is to be published with others.
package struct PublishedFile: Sendable, Hashable {
    package let name: String
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        precondition(
            !name.isEmpty && !name.contains("/") && name != "." && name != "..",
            "a published file lies directly in its folder"
        )
        self.name = name
        self.bytes = bytes
    }
}

/// Publishes several files as one: all of them appear, whole, or none.
///
/// The order, and why it holds whatever dies between two lines:
///
/// 1. The files are written into a temporary folder beside the destination. Nobody looks there.
/// 2. Each file is synchronized, after all are written and on their way to the disk: the file
///    system then has the whole batch in one journal transaction, and the later calls find little
///    left to do. Without that hint it finds room for each file's bytes when that file is
///    synchronized, and ext4 commits its journal once for each.
/// 3. The temporary folder is synchronized: now names and bytes are on the disk.
/// 4. It is renamed to the destination. That name therefore never stands for less than all.
/// 5. The folder above is synchronized. Only then may something point to the destination, such
///    as `current`: a link that survives a power cut must not lead to a name that did not.
///
/// So a snapshot of *n* files costs *n* + 2 synchronizations, of which two wait for the journal as
/// a commit of a database does. Step 2 cannot be left out: a rename does not wait for the data, and
/// a file that lost its bytes under its published name is what this type exists to prevent. The
/// switch of a link afterwards needs none of its own before it is shown to readers
/// (``Path/Durability/later``).
package enum FolderPublication {
    /// Who made what stands at the destination now: this call, or an earlier one.
    package enum Outcome: Sendable, Hashable {
        case published
        /// Something stood there already and was left as it is; it is for the caller to check.
        case alreadyThere
    }

    /// The folder above `destination` must exist.
    package static func publish(
        _ files: [PublishedFile],
        as destination: Path
    ) throws(FileError) -> Outcome {
        precondition(
            Set(files.map(\.name)).count == files.count,
            "two files of one folder have two names"
        )
        guard try destination.status() == nil else { return .alreadyThere }
        let temporary = TemporaryName.beside(destination)
        do {
            try fill(temporary, with: files)
            try temporary.rename(to: destination)
        } catch {
            // The first error is the one that explains; a leftover is swept at the next start.
            _ = try? temporary.removeTree()
            if error.operation == .rename, error.isAlreadyThere { return .alreadyThere }
            throw error
        }
        try FaultPoint.reached("files.publish.renamed")
        try destination.parent.synchronizeFolder()
        try FaultPoint.reached("files.publish.done")
        return .published
    }

    private static func fill(
        _ folder: Path,
        with files: [PublishedFile]
    ) throws(FileError) {
        try folder.createFolderAlone(permissions: .folderForAll)
        try FaultPoint.reached("files.publish.created")
        for file in files {
            let descriptor = try (folder / file.name)
                .writeUnsynchronized(file.bytes, permissions: .readableByAll)
            descriptor.beginSynchronizing()
            try FaultPoint.reached("files.publish.written")
        }
        for file in files {
            // Closing and opening again loses no error: since Linux 4.13 a failed write-back
            // is reported to the first synchronization of any descriptor of the file.
            try Descriptor(opening: folder / file.name, O_RDONLY).synchronize()
            try FaultPoint.reached("files.publish.file-synchronized")
        }
        try folder.synchronizeFolder()
        try FaultPoint.reached("files.publish.folder-synchronized")
    }
}
