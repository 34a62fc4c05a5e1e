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
        var buffer = [CChar](repeating: 0, count: Self.recordSizeMaximum)
        var record = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        let code = unsafe getpwnam_r(name, &record, &buffer, buffer.count, &found)
        guard code == 0, unsafe found != nil else { return nil }
        unsafe self.init(record)
    }

    /// Nil where the number has no name, as happens in containers.
    package init?(userID: UInt32) {
        var buffer = [CChar](repeating: 0, count: Self.recordSizeMaximum)
        var record = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        let code = unsafe getpwuid_r(userID, &record, &buffer, buffer.count, &found)
        guard code == 0, unsafe found != nil else { return nil }
        unsafe self.init(record)
    }

    /// Whose rights this process has.
    package static var current: Account? { Account(userID: geteuid()) }

    package var isRoot: Bool { userID == 0 }

    private init?(_ record: passwd) {
        guard let name = unsafe record.pw_name else { return nil }
        self.name = unsafe String(cString: name)
        userID = unsafe record.pw_uid
        groupID = unsafe record.pw_gid
    }

    private static let recordSizeMaximum = 16_384
}
