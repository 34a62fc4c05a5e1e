import PlimsollSystem
import PlimsollService
import Testing

@testable import PlimsollServer

@Suite struct AnnouncementTests {
    private let token = AdminToken(file: Path("/data/admin-token"), secret: .random())

    private func text(_ standing: Announcement.Admin.TokenState) -> String {
        Announcement(
            rest: "127.0.0.1:8080",
            edge: "http://127.0.0.1:8081",
            admin: Announcement.Admin(token: token, standing: standing),
            sample: nil,
            prohibition: nil
        ).description
    }

    @Test func `the token itself is shown to a person at the first start alone`() {
        #expect(text(.shown).contains(token.secret.text))
        for standing in [Announcement.Admin.TokenState.valid, .dead] {
            #expect(!text(standing).contains(token.secret.text))
            #expect(text(standing).contains("/data/admin-token"))
        }
    }

    @Test func `nobody is told to use a token that is not accepted`() {
        #expect(text(.valid).contains("PLIMSOLL_TOKEN=$(cat /data/admin-token)"))
        #expect(text(.dead).contains("PLIMSOLL_TOKEN=plm_…"))
    }
}
