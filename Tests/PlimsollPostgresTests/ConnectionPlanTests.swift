@testable import PlimsollPostgres
import Testing

struct ConnectionPlanTests {
    private func plan(_ text: String) throws(PostgresError) -> ConnectionPlan {
        try ConnectionPlan(ConnectionString(text), SessionSettings())
    }

    private func value(_ keyword: String, _ text: String) throws -> String? {
        let plan = try plan(text)
        return plan.parameters(plan.targets[0], attributes: "any")
            .first { $0.keyword == keyword }?.value
    }

    @Test func `each host is a target with its own port`() throws {
        let plan = try plan("host=a.example,/run/pg,b.example port=1,2,3 connect_timeout=7")
        #expect(plan.targets.map(\.host) == ["a.example", "/run/pg", "b.example"])
        #expect(plan.targets.map(\.port) == ["1", "2", "3"])
        #expect(plan.targets.map(\.needsResolution) == [true, false, true])
        #expect(plan.attemptTimeout == .seconds(7))
    }

    @Test func `a URI says the same`() throws {
        let plan = try plan(
            "postgresql://ada@a.example:1,b.example:2/x?target_session_attrs=primary"
        )
        #expect(plan.targets.map(\.host) == ["a.example", "b.example"])
        #expect(plan.targets.map(\.port) == ["1", "2"])
        #expect(plan.passes == ["primary"])
    }

    @Test func `an address needs no looking up`() throws {
        let plan = try plan("host=a.example,b.example hostaddr=10.0.0.1,10.0.0.2")
        #expect(plan.targets.map(\.address) == ["10.0.0.1", "10.0.0.2"])
        #expect(plan.targets.map(\.needsResolution) == [false, false])
    }

    @Test func `a standby is preferred by walking twice`() throws {
        #expect(try plan("target_session_attrs=prefer-standby").passes == ["standby", "any"])
    }

    @Test func `lists of different lengths are refused`() {
        for text in ["host=a,b port=1,2,3", "host=a,b hostaddr=10.0.0.1", "host=a port=1,2"] {
            #expect(throws: PostgresError.self) { try plan(text) }
        }
    }

    @Test func `what leaves the machine is encrypted and verified, unless said otherwise`() throws {
        #expect(try value("sslmode", "host=db.example") == "verify-full")
        #expect(try value("sslmode", "hostaddr=10.0.0.1") == "verify-full")
        #expect(try value("sslmode", "host=db.example sslmode=disable") == "disable")
        #expect(try value("sslmode", "host=/run/pg") == nil)
        #expect(try value("sslmode", "host=localhost") == nil)
        #expect(try value("sslmode", "host=x hostaddr=127.0.0.1") == nil)
    }

    @Test func `Kerberos is not asked, unless said otherwise`() throws {
        #expect(try value("gssencmode", "host=db.example") == "disable")
        #expect(try value("gssencmode", "host=db.example gssencmode=prefer") == "prefer")
    }

    @Test func `a server that is gone is noticed within seconds, unless said otherwise`() throws {
        #expect(try value("tcp_user_timeout", "host=db.example") == "10000")
        #expect(try value("keepalives_idle", "host=db.example") == "5")
        #expect(try value("tcp_user_timeout", "host=db.example tcp_user_timeout=3") == "3")
    }

    @Test func `the string's own options stay in front of ours`() throws {
        let options = try value("options", "host=/run/pg options='-c geqo=off'")
        #expect(options?.hasPrefix("-c geqo=off -c statement_timeout=35000 ") == true)
    }

    @Test func `a role with blanks is one word to the server`() {
        var settings = SessionSettings()
        settings.role = "two words"
        #expect(settings.options.contains("-c role=two\\ words"))
    }

    @Test func `what libpq says is taken apart`() {
        let text = """
            connection to server on socket "/tmp/.s.PGSQL.5432" failed: FATAL:  57P03: the \
            database system is starting up
            LOCATION:  ProcessStartupPacket, postmaster.c:2351
            """
        let error = ConnectFailureText(text).error
        #expect(error.sqlState == "57P03")
        #expect(error.kind == .connectFailed)
        #expect(error.note?.contains("LOCATION") == false)
        let refused = "connection to server at \"127.0.0.1\", port 54321 failed: Connection refused"
        #expect(ConnectFailureText(refused).error.sqlState == nil)
    }
}
