import CLinux

/// How many files and sockets the process may have open.
package enum OpenFileLimit {
    /// Raises the limit as far as the process may; it is kept low for programs that cannot count
    /// above a thousand.
    package static func raise() {
        csockets_raise_open_files()
    }
}
