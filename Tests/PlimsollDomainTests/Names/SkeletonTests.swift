import Foundation
import PlimsollDomain
import Testing

@Suite struct SkeletonTests {
    @Test(arguments: [
        ("alice", "аlice"), ("alice", "Alice"), ("Alice", "AIice"), ("alice", "ALICE"),
        ("alice", "a1ice"), ("Bob", "В0b"), ("martin", "rnartin"), ("Rita", "Rіtа"),
        ("Anna Lee", "Anna  Lee"), ("Anna Lee", "Anna\u{A0}Lee"), ("alice", "al\u{200B}ice"),
        ("alice", "ａｌｉｃｅ"), ("alice", "𝓪𝓵𝓲𝓬𝓮"), ("Zoë", "Zoe\u{308}"), ("O'Neil", "O’Neil"),
        ("Иван", "Ивaн"),
    ])
    func `names that are read as one look alike`(_ name: String, _ other: String) {
        #expect(Skeleton(of: name).isConfusable(with: Skeleton(of: other)))
        #expect(Skeleton(of: other).isConfusable(with: Skeleton(of: name)))
    }

    @Test(arguments: [
        ("alice", "alina"), ("Bob", "Rob"), ("Zoe", "Zoë"), ("ci", "cd"), ("Anna Lee", "AnnaLee"),
        ("ci-1", "ci-2"), ("Иван", "Илья"), ("王芳", "王伟"), ("محمد", "أحمد"),
    ])
    func `names that nobody takes for each other do not`(_ name: String, _ other: String) {
        #expect(!Skeleton(of: name).isConfusable(with: Skeleton(of: other)))
    }

    @Test(arguments: [
        "plimsoll", "Plimsoll", "PLIMSOLL", "p1imsol1", "рlimsoll", "pl\u{200D}imsoll", "System",
        "ѕуѕtеm", "systern", " system ",
    ])
    func `words of the service are reserved however they are written`(_ name: String) {
        #expect(Skeleton.reservedWord(like: name) != nil)
    }

    @Test(arguments: ["alice", "systems", "plimsoll ci", "bootstrap administrator", ""])
    func `other names are not`(_ name: String) {
        #expect(Skeleton.reservedWord(like: name) == nil)
    }

    @Test(arguments: [
        "b5a0e2f4-0000-4000-8000-0123456789ab", "B5A0E2F4-0000-4000-8000-0123456789AB",
        "b5aOe2f4-oooo-4000-8000-Ol23456789ab", "b5а0e2f4‐0000‐4000‐8000‐0123456789аb",
        "b5a0e2f4", "B5A0E2F4", " b5a0e2f4 ",
        "b5aOe2f4", "01234567", "ol234567", "ｂ5ａ0e2f4", "b5\u{200B}a0e2f4",
    ])
    func `what could be read as an id is like one`(_ name: String) {
        #expect(Skeleton.isLikeID(name))
    }

    @Test(arguments: [
        "alice", "b5a0e2f", "b5a0e2f4a", "b5a0e2f4 ci", "person b5a0e2f4", "b5a0e2fg",
        "b5a0e2f4-0000-4000-8000-0123456789a", "b5a0e2f4-0000-4000-0123456789ab", "2026-12-31", "",
        "runner b5a0e2f4-0000-4000-8000-0123456789ab", "Adelaide", "ADELAIDE", "Idabella",
        "boldface",
    ])
    func `what could be read as none is not`(_ name: String) {
        #expect(!Skeleton.isLikeID(name))
    }

    /// Lines of Unicode's own file, one of each sort.
    @Test(arguments: [
        ("0251", "0061"), ("0430", "0061"), ("0031", "006C"), ("006D", "0072 006E"),
        ("0410", "0041"), ("1487", "0064 0027"), ("FF4D", "0072 006E"), ("2FD5", "9FA0"),
    ])
    func `the table says what Unicode's says`(_ source: String, _ target: String) throws {
        func text(_ codes: String) throws -> String {
            let scalars = try codes.split(separator: " ").map {
                try #require(UInt32($0, radix: 16).flatMap(Unicode.Scalar.init))
            }
            return String(String.UnicodeScalarView(scalars))
        }
        let (one, other) = (Skeleton(of: try text(source)), Skeleton(of: try text(target)))
        #expect(one.isConfusable(with: other))
    }
}
