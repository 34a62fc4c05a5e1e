import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import PlimsollAPI
import PlimsollJSON
import PlimsollStore
import PlimsollService
import Testing

@testable import PlimsollHTTP

@Suite struct ProblemAnsweringTests {
    @Test(
        arguments: [
            (UseCaseError.storeAway, ProblemCode.unavailable),
            (.readOnly(Prohibition(.logBehind, "It has 4 of 5 events.")), .logBehind),
            (.readOnly(Prohibition(.logForked, "It was changed.")), .logForked),
        ]
    )
    func `what will go later says when to come again`(
        _ error: UseCaseError,
        _ code: ProblemCode
    ) async throws {
        let (response, problem) = try await answer(to: error)
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter].flatMap(Int.init).map { $0 > 0 } == true)
        #expect(problem.code == code)
    }

    @Test(arguments: ProblemCode.allCases.filter { $0.status == 503 })
    func `of every kind that may go later it is said when to come again`(
        _ code: ProblemCode
    ) async throws {
        let (response, _) = try await answer(to: Problem(code, detail: "Not now."))
        #expect(response.headers[.retryAfter].flatMap(Int.init).map { $0 > 0 } == true)
    }

    @Test(arguments: [UseCaseError.unexpected("secret 4711"), .unexpected("")] as [any Error])
    func `of what nobody foresaw only the request's name is told`(_ error: any Error) async throws {
        let (response, problem) = try await answer(to: error)
        #expect(response.status == .internalServerError)
        #expect(response.headers[.retryAfter] == nil)
        #expect(problem.code == .internalError)
        #expect(problem.requestID == response.headers[.requestID])
        #expect(!String(buffer: response.body).contains("4711"))
    }

    private func answer(to error: any Error) async throws -> (TestResponse, Problem) {
        let router = Router(context: PlimsollContext.self)
        router.add(middleware: RequestNaming())
        router.add(middleware: ProblemAnswering(table: .service))
        router.get("broken") { _, _ -> Response in throw error }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let response = try await Application(router: router, logger: logger).test(.router) {
            try await $0.executeRequest(uri: "/broken", method: .get, headers: [:], body: nil)
        }
        let json = try JSONValue(parsing: Array(response.body.readableBytesView))
        return (response, try Problem(json))
    }
}
