/// How a command ends; scripts rely on the numbers.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    /// A difference was found where one was asked for, or there was nothing to do.
    case differs = 3
    case notAuthenticated = 4
    /// What the command was based on has moved on.
    case conflict = 5
    case waitsForApproval = 6
    case timedOut = 7
    case verificationFailed = 8
}
