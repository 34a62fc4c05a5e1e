import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let accounts: [any EndpointDeclaration] = [forgetAccount]

    package static let forgetAccount = Write<NoNames, AccountForm, AccountAnswer>(
        .post("forgetAccount", "/v1/accounts/forget"),
        "Erase which apps an account had, for good.",
        mayMeet: [.keyUnusable]
    )
}

/// The body of `POST /v1/accounts/forget`: whose it is that is to be erased.
package struct AccountForm: Form, Shaped {
    /// As the tokens of devices call it.
    package let account: String

    package init(account: String) { self.account = account }

    package static let shape = Shape<Self>(
        "AccountToForget",
        Self.init(account:),
        .required("account", \.account, .account)
    )
}

/// What was erased.
package struct AccountAnswer: Answer, Shaped {
    /// How many apps were kept of the account; `nil` where it is not known because nothing was done.
    package let apps: Int?

    package init(apps: Int?) { self.apps = apps }

    package static let shape = Shape<Self>(
        "AccountForgotten",
        Self.init(apps:),
        .nullable("apps", \.apps, .count())
    )
    .withDryRun
}

extension ValueShape<String> {
    /// As long as the token may be that has it; controls would make it read as another.
    package static let account = string(
        needing: "a text of 1 to 8192 bytes without control characters",
        .string(
            matching: "^[^\\u0000-\\u001F\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069]+$"
        ),
        { account in
            let isText = account.unicodeScalars.allSatisfy { scalar in
                scalar.properties.generalCategory != .control && !scalar.isBidirectionalControl
            }
            return isText && (1...8192).contains(account.utf8.count) ? account : nil
        },
        { $0 }
    )
}
