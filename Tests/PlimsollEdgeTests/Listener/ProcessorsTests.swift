import Testing

@testable import PlimsollEdge

/// How many processors there are for this process.
@Suite struct ProcessorsTests {
    @Test(arguments: [("0", 1), ("0-1", 2), ("3", 1), ("0-3,8,10-11", 7)])
    func `those count that the process may run on`(list: String, count: Int) {
        let status = "Name:\tplimsoll\nCpus_allowed:\tff\nCpus_allowed_list:\t\(list)\nThreads:\t4"
        #expect(Processors.allowed(by: status) == count)
    }

    @Test(
        arguments: [
            "", "Name:\tplimsoll\n", "Cpus_allowed_list:\n", "Cpus_allowed_list:\t\n",
            "Cpus_allowed_list:\tall\n", "Cpus_allowed_list:\t3-1\n", "Cpus_allowed_list:\t,\n",
        ]
    )
    func `what says nothing of processors is passed over`(status: String) {
        #expect(Processors.allowed(by: status) == nil)
    }
}
