import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PlimsollLog
import ServiceLifecycle

/// Takes checkpoints from whoever brings them: `POST /add-checkpoint` of c2sp.org/tlog-witness.
struct WitnessListener: Service {
    let address: WitnessAddress
    let witness: Witness
    let alarms: AsyncStream<WitnessAlarm>.Continuation
    let logger: Logger

    func run() async throws {
        try await application.run()
    }

    var application: some ApplicationProtocol {
        let router = Router()
        router.post("add-checkpoint") { request, _ in try await answer(to: request) }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil
            ),
            logger: logger
        )
    }

    private func answer(to request: Request) async throws -> Response {
        let body: [UInt8]
        do {
            let buffer = try await request.body.collect(upTo: SignedNote.byteCountMaximum)
            body = Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            return response(.malformed(NoteError.tooLong.description))
        }
        let (answer, alarm) = try await witness.answer(body)
        if let alarm { alarms.yield(alarm) }
        return response(answer)
    }

    private func response(_ answer: WitnessAnswer) -> Response {
        Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: [.contentType: answer.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }
}
