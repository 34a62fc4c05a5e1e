import PlimsollDomain
import Testing

@Suite struct EventSizeTests {
    // An event is copied wherever it is handed on, and a replay hands on millions: one large case
    // that is kept in place makes each of them as large. It was three times this once, and a replay
    // took a fifth longer.
    @Test func `an event is as small as what happens most often`() {
        #expect(MemoryLayout<Event>.size <= 128)
    }
}
