import Glibc

/// A user of this machine, by a name.
package struct Account: Sendable, Hashable {
    package let name: String
    package let userID: UInt32
    package let groupID: UInt32

    /// One that only we know by the name.
    package init(name: String, userID: UInt32, groupID: UInt32) {
        self.name = name
        self.userID = userID
        self.groupID = groupID
    }

    /// Nil where no account has the name.
    package init?(named name: String) {
        let account = unsafe Self.read { record, texts, found in
            unsafe getpwnam_r(name, record, texts, Self.recordSizeMaximum, found)
        }
        guard let account else { return nil }
        self = account
    }

    /// Nil where the number has no name, as happens in containers.
    package init?(userID: UInt32) {
        let account = unsafe Self.read { record, texts, found in
            unsafe getpwuid_r(userID, record, texts, Self.recordSizeMaximum, found)
        }
        guard let account else { return nil }
        self = account
    }

    /// Whose rights this process has.
    package static var current: Account? { Account(userID: geteuid()) }

    package var isRoot: Bool { userID == 0 }

    /// Looks for a record, whose texts lie in a buffer that is there only as long.
    private static func read(
        _ look: (
            _ record: UnsafeMutablePointer<passwd>,
            _ texts: UnsafeMutablePointer<CChar>,
            _ found: UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> CInt
    ) -> Account? {
        var buffer = [CChar](repeating: 0, count: recordSizeMaximum)
        return unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            guard let texts = buffer.baseAddress else { return nil }
            var record = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            let code = unsafe look(&record, texts, &found)
            guard code == 0, unsafe found != nil else { return nil }
            return unsafe Account(record)
        }
    }

    private init?(_ record: passwd) {
        guard let name = unsafe record.pw_name else { return nil }
        self.name = unsafe String(cString: name)
        userID = unsafe record.pw_uid
        groupID = unsafe record.pw_gid
    }

    private static let recordSizeMaximum = 16_384
}
