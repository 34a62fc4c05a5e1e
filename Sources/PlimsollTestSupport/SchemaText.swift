package import PlimsollPostgres

/// A schema as text that can be compared, line by line.
///
/// Two databases whose schemas do the same have the same text, however they came to be:
/// everything is named in full and sorted, and nothing depends on object numbers.
package struct SchemaText: Sendable, Hashable {
    package let lines: [String]

    /// Reads the named schemas from the catalogue.
    package static func read(
        _ schemas: [String],
        from session: Session
    ) async throws -> SchemaText {
        try await session.withTransaction(access: .readOnly) { transaction in
            // So that every name is written with its schema.
            try await transaction.execute("SET LOCAL search_path = ''")
            var lines: [String] = []
            for statement in statements(schemas) {
                for row in try await transaction.query(statement) {
                    lines.append(try row.value(at: 0))
                }
            }
            return SchemaText(lines: lines)
        }
    }

    private static func statements(_ schemas: [String]) -> [Statement] {
        [
            namespaces(schemas), relations(schemas), columns(schemas), constraints(schemas),
            indexes(schemas), sequences(schemas), views(schemas), functions(schemas),
            triggers(schemas), policies(schemas), types(schemas), comments(schemas),
        ]
    }

    private static func namespaces(_ schemas: [String]) -> Statement {
        """
        SELECT format('schema %I grants %s', nspname,
            ARRAY(SELECT unnest(nspacl)::text ORDER BY 1))
        FROM pg_catalog.pg_namespace WHERE nspname = ANY (\(schemas)) ORDER BY nspname
        """
    }

    private static func relations(_ schemas: [String]) -> Statement {
        """
        SELECT format('relation %I.%I kind %s persistence %s options %s security %s %s grants %s',
            nspname, relname, relkind, relpersistence, reloptions, relrowsecurity,
            relforcerowsecurity, ARRAY(SELECT unnest(relacl)::text ORDER BY 1))
        FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        WHERE nspname = ANY (\(schemas)) AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
        ORDER BY nspname COLLATE "C", relname COLLATE "C"
        """
    }

    private static func columns(_ schemas: [String]) -> Statement {
        """
        SELECT format('column %I.%I %s %I %s null %s default %s generated %L identity %L '
                'collation %s storage %s grants %s', nspname, relname,
            row_number() OVER (PARTITION BY c.oid ORDER BY attnum), attname,
            format_type(atttypid, atttypmod), NOT attnotnull, pg_get_expr(adbin, adrelid),
            attgenerated, attidentity, attcollation::regcollation, attstorage,
            ARRAY(SELECT unnest(attacl)::text ORDER BY 1))
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_class c ON c.oid = attrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        LEFT JOIN pg_catalog.pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE nspname = ANY (\(schemas)) AND relkind IN ('r', 'p', 'v', 'm', 'f')
            AND attnum > 0 AND NOT attisdropped
        ORDER BY nspname COLLATE "C", relname COLLATE "C", attnum
        """
    }

    private static func constraints(_ schemas: [String]) -> Statement {
        """
        SELECT format('constraint %I.%I on %s: %s', nspname, conname,
            CASE WHEN conrelid = 0 THEN contypid::regtype::text ELSE conrelid::regclass::text END,
            pg_get_constraintdef(o.oid))
        FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_namespace n ON n.oid = connamespace
        WHERE nspname = ANY (\(schemas))
        ORDER BY nspname COLLATE "C", conrelid::regclass::text COLLATE "C", conname COLLATE "C"
        """
    }

    private static func indexes(_ schemas: [String]) -> Statement {
        """
        SELECT format('index %s', pg_get_indexdef(indexrelid))
        FROM pg_catalog.pg_index JOIN pg_catalog.pg_class c ON c.oid = indexrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        WHERE nspname = ANY (\(schemas)) ORDER BY nspname COLLATE "C", relname COLLATE "C"
        """
    }

    private static func sequences(_ schemas: [String]) -> Statement {
        """
        SELECT format('sequence %I.%I %s from %s by %s in %s to %s cache %s cycle %s', nspname,
            relname, format_type(seqtypid, NULL), seqstart, seqincrement, seqmin, seqmax,
            seqcache, seqcycle)
        FROM pg_catalog.pg_sequence JOIN pg_catalog.pg_class c ON c.oid = seqrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        WHERE nspname = ANY (\(schemas)) ORDER BY nspname COLLATE "C", relname COLLATE "C"
        """
    }

    private static func views(_ schemas: [String]) -> Statement {
        """
        SELECT format('view %I.%I: %s', nspname, relname, pg_get_viewdef(c.oid))
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        WHERE nspname = ANY (\(schemas)) AND relkind IN ('v', 'm')
        ORDER BY nspname COLLATE "C", relname COLLATE "C"
        """
    }

    private static func functions(_ schemas: [String]) -> Statement {
        """
        SELECT format('function %s grants %s', pg_get_functiondef(p.oid),
            ARRAY(SELECT unnest(proacl)::text ORDER BY 1))
        FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = pronamespace
        WHERE nspname = ANY (\(schemas)) AND prokind IN ('f', 'p', 'w')
        ORDER BY p.oid::regprocedure::text COLLATE "C"
        """
    }

    private static func triggers(_ schemas: [String]) -> Statement {
        """
        SELECT format('trigger %s enabled %s', pg_get_triggerdef(t.oid), tgenabled)
        FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = tgrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        WHERE nspname = ANY (\(schemas)) AND NOT tgisinternal
        ORDER BY nspname COLLATE "C", relname COLLATE "C", tgname COLLATE "C"
        """
    }

    private static func policies(_ schemas: [String]) -> Statement {
        """
        SELECT format('policy %I on %I.%I for %s to %s permissive %s using %s check %s', polname,
            nspname, relname, polcmd, ARRAY(SELECT unnest(polroles)::regrole::text ORDER BY 1),
            polpermissive, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
        FROM pg_catalog.pg_policy JOIN pg_catalog.pg_class c ON c.oid = polrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
        WHERE nspname = ANY (\(schemas))
        ORDER BY nspname COLLATE "C", relname COLLATE "C", polname COLLATE "C"
        """
    }

    /// Enumerations, domains and composite types of their own.
    private static func types(_ schemas: [String]) -> Statement {
        """
        SELECT format('type %I.%I %s base %s default %s labels %s attributes %s', nspname, typname,
            typtype, format_type(typbasetype, typtypmod), typdefault,
            ARRAY(SELECT enumlabel::text FROM pg_catalog.pg_enum WHERE enumtypid = t.oid
                ORDER BY enumsortorder),
            ARRAY(SELECT format('%I %s', attname, format_type(atttypid, atttypmod))
                FROM pg_catalog.pg_attribute WHERE attrelid = typrelid AND NOT attisdropped
                ORDER BY attnum))
        FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = typnamespace
        LEFT JOIN pg_catalog.pg_class c ON c.oid = typrelid
        WHERE nspname = ANY (\(schemas))
            AND (typtype IN ('e', 'd') OR typtype = 'c' AND relkind = 'c')
        ORDER BY nspname COLLATE "C", typname COLLATE "C"
        """
    }

    private static func comments(_ schemas: [String]) -> Statement {
        """
        SELECT line FROM (
            SELECT format('comment on %s: %s', identity, description) AS line
            FROM pg_catalog.pg_description,
                pg_catalog.pg_identify_object(classoid, objoid, objsubid)
            WHERE schema = ANY (\(schemas)) OR type = 'schema' AND name = ANY (\(schemas))
                OR split_part(identity, '.', 1) = ANY (\(schemas))
        ) AS found ORDER BY line COLLATE "C"
        """
    }
}
