import PlimsollSystem
import Testing

@Suite struct PathTests {
    @Test(arguments: [
        ("/a/b/c", "c", "/a/b"),
        ("/a", "a", "/"),
        ("a", "a", "."),
        ("a/b/", "b", "a"),
    ])
    func `a path knows its name and its folder`(
        path: String,
        name: String,
        parent: String
    ) {
        #expect(Path(path).name == name)
        #expect(Path(path).parent == Path(parent))
    }

    @Test func `trailing slashes make no difference`() {
        #expect(Path("/a/b//") == Path("/a/b"))
        #expect(Path("/") / "a" == Path("/a"))
        #expect(Path("//").string == "/")
    }

    @Test func `a zero byte or nothing at all is no path`() async {
        await #expect(processExitsWith: .failure) { _ = Path("/etc/passwd\0.json") }
        await #expect(processExitsWith: .failure) { _ = Path("") }
    }
}
