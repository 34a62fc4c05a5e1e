import PlimsollJSON

/// How the service does, in one word: what `/healthz` and `/readyz` answer.
package struct HealthAnswer: Answer, Shaped {
    package let status: String

    /// The process lives.
    package static let alive = HealthAnswer(status: "alive")
    /// Writes can be made and read models are up to date.
    package static let ready = HealthAnswer(status: "ready")

    private init(status: String) { self.status = status }

    package static let shape = Shape<Self>(
        "Health",
        Self.init(status:),
        .required("status", \.status, .string)
    )
}
