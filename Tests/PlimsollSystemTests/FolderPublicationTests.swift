import Glibc
import PlimsollSystem
import Testing

@Suite struct FolderPublicationTests {
    @Test func `several files appear as one and readable by all`() async throws {
        try await withTemporaryFolder { folder in
            try Exporter.prepare(folder)
            try Exporter.publish(1, in: folder)
            #expect(try Exporter.published(in: folder) == 1)
            let file = folder / "snapshots" / "1" / "body"
            #expect(try file.status()?.permissions == .readableByAll)
        }
    }

    @Test func `what stands there is left as it is`() async throws {
        try await withTemporaryFolder { folder in
            let destination = folder / "1"
            let first = PublishedFile(name: "a", bytes: [1])
            let second = PublishedFile(name: "a", bytes: [2])
            #expect(try FolderPublication.publish([first], as: destination) == .published)
            #expect(try FolderPublication.publish([second], as: destination) == .alreadyThere)
            let bytes = try (destination / "a").read(sizeMaximum: 10)
            #expect(bytes == [1])
            #expect(try folder.entries() == ["1"])
        }
    }

    // Goal: whatever step fails, a reader finds the former snapshot or the new one, whole, and
    // doing it again succeeds. Method: an error at each point in turn.
    @Test func `an error at any step leaves the former or the new, whole`() async throws {
        let steps = try await withTemporaryFolder { folder in
            try Exporter.prepare(folder)
            return try pointsPassed { try Exporter.publish(1, in: folder) }
        }
        #expect(steps.count == 10)
        for pass in 1...steps.count {
            try await withTemporaryFolder { folder in
                try Exporter.prepare(folder)
                try Exporter.publish(1, in: folder)
                #expect(throws: FileError.self) {
                    try failing(atPass: pass) { try Exporter.publish(2, in: folder) }
                }
                #expect([1, 2].contains(try Exporter.published(in: folder)))
                try Exporter.publish(2, in: folder)
                #expect(try Exporter.published(in: folder) == 2)
                #expect(try (folder / "snapshots").entries() == ["1", "2"])
            }
        }
    }

    // The negative control: files that are replaced where they lie are found torn.
    @Test func `the same reader finds out who publishes in place`() async throws {
        try await withTemporaryFolder { folder in
            try Exporter.prepare(folder)
            try Exporter.publish(1, in: folder)
            let place = folder / "snapshots" / "1"
            #expect(try Exporter.isWhole(place))
            #expect(throws: FileError.self) {
                try failing(at: "files.write.renamed") {
                    try (place / "body").writeDurably(Array("2".utf8))
                    try (place / "signature").writeDurably(Array("signed 2".utf8))
                }
            }
            #expect(try !Exporter.isWhole(place))
        }
    }

    // The same with `kill -9`, in a process of its own that is armed from outside.
    @Test(arguments: 1...10)
    func `a kill at any step leaves the former or the new, whole`(pass: Int) async throws {
        try await withTemporaryFolder { folder in
            try Exporter.prepare(folder)
            try Exporter.publish(1, in: folder)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [pass = pass as Int, place = folder.string as String] in
                unsafe setenv("PLIMSOLL_FAULT_POINT", "*:\(pass)", 1)
                try Exporter.publish(2, in: Path(place))
            }
            #expect([1, 2].contains(try Exporter.published(in: folder)))
            try (folder / "snapshots").removeLeftovers()
            try Exporter.publish(2, in: folder)
            #expect(try Exporter.published(in: folder) == 2)
            #expect(try (folder / "snapshots").entries() == ["1", "2"])
        }
    }

    // The kernel itself refuses in the middle of a file, after having written a part of it.
    @Test func `a write that the system cuts short leaves the former and no trace`() async throws {
        try await withTemporaryFolder { folder in
            try Exporter.prepare(folder)
            try Exporter.publish(1, in: folder)
            await #expect(processExitsWith: .success) {
                [place = folder.string as String] in
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 4, rlim_max: 4)
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                let error = #expect(throws: FileError.self) {
                    try Exporter.publish(22, in: Path(place))
                }
                #expect(error?.code == EFBIG)
                #expect(error?.operation == .write)
            }
            #expect(try Exporter.published(in: folder) == 1)
            #expect(try (folder / "snapshots").entries() == ["1"])
        }
    }

    @Test func `of many who publish the same at once one does and the others find it`() async throws
    {
        try await withTemporaryFolder { folder in
            let outcomes = try await withThrowingTaskGroup(
                of: FolderPublication.Outcome.self
            ) { group in
                for number in 0..<16 {
                    group.addTask {
                        let file = PublishedFile(name: "a", bytes: [UInt8(number)])
                        return try FolderPublication.publish([file], as: folder / "1")
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .published } == 1)
            #expect(try folder.entries() == ["1"])
        }
    }

    @Test func `a point is counted by its name and the process lives on before it`() async {
        await #expect(processExitsWith: .exitCode(3)) {
            unsafe setenv("PLIMSOLL_FAULT_POINT", "second:2", 1)
            try FaultPoint.reached("first")
            try FaultPoint.reached("second")
            try FaultPoint.reached("first")
            exit(3)
        }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            unsafe setenv("PLIMSOLL_FAULT_POINT", "second", 1)
            try FaultPoint.reached("first")
            try FaultPoint.reached("second")
            exit(3)
        }
    }

    // Goal: a reader never sees half. Method: one task publishes, another reads all the time.
    @Test func `a reader that looks all the time finds something whole`() async throws {
        try await withTemporaryFolder { folder in
            try Exporter.prepare(folder)
            try Exporter.publish(1, in: folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 2...40 { try Exporter.publish(number, in: folder) }
                }
                group.addTask {
                    var last = 1
                    while last < 40 {
                        let number = try Exporter.published(in: folder)
                        #expect(number >= last)
                        last = number
                        await Task.yield()
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a published name cannot lead elsewhere`() async {
        await #expect(processExitsWith: .failure) { _ = PublishedFile(name: "../a", bytes: []) }
        await #expect(processExitsWith: .failure) { _ = PublishedFile(name: "..", bytes: []) }
    }
}

/// Publishes numbers as an exporter would snapshots: two files that belong together and a link.
private enum Exporter {
    static func prepare(_ folder: Path) throws {
        try (folder / "snapshots").createFolder()
    }

    static func publish(_ number: Int, in folder: Path) throws {
        let files = [
            PublishedFile(name: "body", bytes: Array("\(number)".utf8)),
            PublishedFile(name: "signature", bytes: Array("signed \(number)".utf8)),
        ]
        let snapshot = folder / "snapshots" / "\(number)"
        _ = try FolderPublication.publish(files, as: snapshot)
        try (folder / "current").pointSymbolicLink(to: "snapshots/\(number)")
    }

    /// The number that readers find; fails the test unless it is whole.
    static func published(in folder: Path) throws -> Int {
        let destination = try #require(try (folder / "current").symbolicLinkDestination())
        #expect(try isWhole(folder / destination))
        return try #require(Int(try (folder / destination / "body").text()))
    }

    static func isWhole(_ snapshot: Path) throws -> Bool {
        let body = try (snapshot / "body").text()
        return try (snapshot / "signature").text() == "signed \(body)"
    }
}
