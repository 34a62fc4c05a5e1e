import Foundation
import PlimsollDomain
import Testing

@Suite struct NamingTests {
    private let alice = PrincipalID(UUID())
    private let bob = PrincipalID(UUID())

    @Test func `those who are known are called by name, wherever their ids stand`() {
        let names = [alice: "alice"]
        let sentence = "\(alice) suspended \(bob) (by \(alice))"
        #expect(sentence.naming { names[$0] } == "alice suspended \(bob) (by alice)")
        #expect("Key 0a1b2c3d added".naming { names[$0] } == "Key 0a1b2c3d added")
    }

    @Test func `what a name says is not replaced by another name`() {
        let names = [alice: bob.text, bob: "bob"]
        #expect("\(alice) and \(bob)".naming { names[$0] } == "\(bob) and bob")
    }
}
