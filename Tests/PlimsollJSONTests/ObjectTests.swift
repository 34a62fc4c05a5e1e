import PlimsollJSON
import Testing

@Suite struct ObjectTests {
    @Test func `a member is set, replaced and removed`() {
        var object = JSONObject()
        object["a"] = 1
        object["b"] = "x"
        object["a"] = 2
        object["c"] = nil
        #expect(object.keys == ["a", "b"])
        #expect(object["a"] == 2)
        object["a"] = nil
        #expect(object.keys == ["b"])
        #expect(object["a"] == nil)
    }

    @Test func `objects are equal whatever the order of their members`() {
        let value: JSONValue = ["a": 1, "b": [2]]
        #expect(value == ["b": [2], "a": 1])
        #expect(value != ["a": 1, "b": [3]])
        #expect(value != ["a": 1])
        #expect(value != ["a": 1, "c": [2]])
    }

    @Test func `a repeated member in code is a mistake of the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = JSONObject([.init(key: "a", value: 1), .init(key: "a", value: 2)])
        }
    }

    @Test func `a deeper limit than the stack allows is a mistake of the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = JSONLimits(depthMaximum: JSONLimits.depthMaximumAllowed + 1)
        }
    }
}
