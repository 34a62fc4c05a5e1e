import PlimsollDomain

/// Devices, and what they show.
extension Components {
    static let device = Schema.oneOf([device(.dotted), device(.integer)])

    private static func device(_ kind: VersionKind) -> Schema {
        .object([
            .required("platform", .platforms(kind)), .required("os", .version(kind)),
            .required("app", .version(kind)), .optional("store", .version(kind)),
            .required("language", .language),
        ])
    }

    static let simulationOrder = Schema.object([
        .required("device", .reference("Device")),
        .optional("operations", .array(of: .reference("Operation"))),
    ])

    static let simulation = Schema.object([
        .required("app", .slug), .required("platform", .platform),
        .required("position", .position), .required("verdict", .names(DeviceVerdict.self)),
        .required("runs", .boolean), .required("title", .nullable(.string)),
        .required("description", .nullable(.string)), .required("because", .string),
    ])
}
