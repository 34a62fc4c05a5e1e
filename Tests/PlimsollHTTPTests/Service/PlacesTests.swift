import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Who has to go when more are known than there are places.
@Suite struct PlacesTests {
    private let places = Places(Places.Limits(strangers: 8, known: 4, knownOfOne: 4))

    private func come(as principal: PrincipalID) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        places.enter(channel)
        places.know(channel, as: principal)
        return channel
    }

    // Goal: two with the weakest tokens keep nobody out, though all of their connections are busy.
    @Test func `whoever comes takes a place of whoever holds most`() throws {
        let crowd = try [alice, alice, alice, bob].map(come)
        let rita = try come(as: rita)
        #expect(rita.isActive)
        #expect(crowd.map(\.isActive) == [false, true, true, true])
        let other = try come(as: root)
        #expect(other.isActive && rita.isActive)
        #expect(crowd.map(\.isActive) == [false, false, true, true])
    }

    // Goal: however many watch, whoever comes to act has a place, and what is cut off goes on by itself.
    @Test func `a feed makes room for whoever comes, and an answer does not`() throws {
        let forms: [(PrincipalID, ContentType)] = [
            (alice, .json), (bob, .eventStream), (root, .eventStream), (rita, .json),
        ]
        let crowd = try forms.map { try begin(answering: $0, as: $1) }
        let last = try come(as: PrincipalID(UUID()))
        #expect(last.isActive)
        #expect(crowd.map(\.isActive) == [true, false, true, true])
    }

    // Goal: who watches is not cut off for somebody who does nothing.
    @Test func `whoever is idle goes before a feed that is older`() throws {
        let feed = try begin(answering: alice, as: .eventStream)
        let idle = try begin(answering: bob, as: .json)
        try idle.writeOutbound(HTTPResponsePart.end(nil))
        let others = try [root, rita].map(come)
        #expect(try come(as: PrincipalID(UUID())).isActive)
        #expect(([feed, idle] + others).map(\.isActive) == [true, false, true, true])
    }

    // Method: nobody's token is shown; while it is answered, the console finds who is signed in.
    @Test func `a browser that is signed in has as long between requests as whoever has a token`()
        throws
    {
        for isSignedIn in [true, false] {
            let browser = try begin(answering: nil, as: .json)
            if isSignedIn { places.know(browser, as: alice) }
            try browser.writeOutbound(HTTPResponsePart.end(nil))
            browser.embeddedEventLoop.advanceTime(by: Timeouts().head)
            #expect(browser.isActive == isSignedIn)
        }
    }

    /// Somebody whose answer in such a form has begun.
    private func begin(
        answering principal: PrincipalID?,
        as form: ContentType
    ) throws -> EmbeddedChannel {
        let handler = ConnectionGuard(places, patience: Timeouts()) { _ in principal }
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = HTTPRequest(method: .get, scheme: "http", authority: "here", path: "/")
        try channel.writeInbound(HTTPRequestPart.head(request))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        let answer = HTTPResponse(status: .ok, headerFields: [.contentType: form.field])
        try channel.writeOutbound(HTTPResponsePart.head(answer))
        return channel
    }

    @Test func `whoever holds most themselves goes again, or gives up what is idle`() throws {
        let crowd = try [alice, alice, alice, bob].map(come)
        let last = try come(as: alice)
        #expect(!last.isActive)
        #expect(crowd.map(\.isActive) == [true, true, true, true])
        places.settle(crowd[1], .idle)
        let next = try come(as: alice)
        #expect(next.isActive)
        #expect(crowd.map(\.isActive) == [true, false, true, true])
    }
}
