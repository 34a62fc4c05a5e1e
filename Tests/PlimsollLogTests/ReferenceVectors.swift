import PlimsollLog

/// Values made with golang.org/x/mod from the entries that Certificate Transparency tests with.
enum ReferenceVectors {
    static let entries: [[UInt8]] = [
        [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43],
        Array(0x50...0x57), Array(0x60...0x6F),
    ]

    static let seed = [UInt8](0x00...0x1F)

    static let verifierKey =
        "config.example.com/log+cb6aff99+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"

    static let checkpoint = """
        config.example.com/log
        8
        XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=

        — config.example.com/log y2r/mdFc9KcUHHKIPoOh2buYSi2LEyT4HQ7hvCu4D5JmuNX9BvmjpXaNME7tM5xJ\
        ldsr2h44lIl4pF8pTEs54diuEgo=

        """

    static let cosignature = """
        — witness.example.com/w 8GSYhQAAAABqsTuAEE16/BU2T87atC8YdE1tfyblvwogba+5CXKh7CyZpiW53S/P\
        lvHOhuOIIOmNphPr5tyqpHCof53lZznvysU9Bg==

        """

    static let cosignedAt = 1_790_000_000
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
