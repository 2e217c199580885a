"""Answers whose verdict is plain, and answers whose verdict is negated, doubted, reported, supposed or of something else."""

# What a reader would not take as a determination on this patient and this trial, by language, one answer to a line.
LEFT_TO_A_JUDGE = {
    "en": """\
It is doubtful that you are eligible.
It is improbable that you are eligible.
We doubt that the patient is eligible.
There is little chance that you are eligible.
It is not true that the patient is eligible.
The claim that the patient is eligible is wrong.
The patient meets all inclusion criteria but also meets one of the exclusion criteria.
The patient meets all inclusion criteria, but exclusion criterion 3 applies.
The patient meets all inclusion criteria. Exclusion criterion 3 applies.
I am not confident that the patient is eligible; she is excluded by age.
It would be hasty to conclude that, given her age, she is eligible.
Her doctor believes she is eligible.
According to her oncologist, she is eligible.
"The patient is eligible," the sponsor wrote.
The referral says the patient is eligible.
Without the stroke, she would be eligible.
Were it not for the stroke, the patient would be eligible.
You are likely eligible, if your labs are recent.
You are likely eligible (unless you are pregnant).
You will be eligible once your HbA1c falls.
You will be eligible after surgery.
Your brother has no stroke. He is eligible.
In the other trial, you are eligible.
Under the previous protocol the patient is eligible.
For cohort B she is eligible.
The patient is eligible for screening.
The patient is eligible to receive the vaccine.
The patient is anything but likely eligible.
She is by no means eligible.
No patient, young or old, is eligible.
Anyone who, like the patient, is eligible can call us.
Status: Likely eligible? No.
Status: Eligible patients must be adults.
Status: Likely Eligible, but exclusion criterion 3 applies.
Conclusion: likely eligible if the biopsy is benign.
Likely eligible, but excluded by the stroke.
Not eligible: pregnant women, children
It is wrong to call this patient Likely Eligible.
The label Likely Eligible does not fit.
You appear eligible. However, your stroke rules you out.
You are likely eligible. Unfortunately, the trial stopped you from joining.
We do not believe the patient is eligible. She meets all inclusion criteria.
If you had no stroke, you would be eligible. You meet all inclusion criteria.
The patient is eligible. This statement is false.
Suppose you were 20. You are eligible.
The patient meets inclusion criteria 1 and 2.
The patient meets all criteria for exclusion.
The patient thinks that she is fit and is eligible.
Nobody would argue that the patient is eligible.
One could hardly call it clear that you are eligible.
There is no evidence that you are eligible.
It is hard to say that you are eligible.
Hypothetically, the patient is eligible.
The patient would have been eligible last year.
Some might argue the patient is eligible.
The question is whether the patient is eligible.
The idea that she is eligible, while tempting, is mistaken.
Likely Eligible would be the wrong label.
The patient is far from being eligible.
She is only partly eligible.
The patient is almost eligible.
The patient is nearly eligible.
Only her sister is eligible.
He is eligible, or so the website claims.
You are ineligible for surgery but likely eligible for this trial.
The patient is ineligible for surgery but likely eligible for this trial.
The patient is not ineligible.
It is unlikely that the patient is ineligible.
It is not the case that the patient is not eligible.
I doubt that you are not eligible.
The patient could be thought to be eligible.
The patient is eligible? Hardly.
The patient was told she is eligible.
It is assumed that the patient is eligible.
The trial team has yet to decide that you are eligible.
Participants are screened. They are eligible.
Determination: the patient is eligible only if HER2 is positive.
With luck, the patient is eligible.
With treatment, she is eligible.
By mistake, the patient is eligible.
From her doctor's perspective, she is eligible.
Looking at age alone, the patient is eligible.
Considering only her age, she is eligible.
Although the patient is likely eligible, her stroke is a problem.
While you are eligible, your stroke is a problem.
Lose 10 kg. Then you are eligible.
You are not automatically eligible.
You are not fully eligible.
You are not necessarily eligible.
You are eligible (not).
You are eligible, not.
The patient insists she is fit and is eligible.
The patient argues her age fits and is eligible.
As a healthy volunteer, you are eligible.
The patient dreams, she is eligible.
It remains to be seen that the patient is eligible.
The patient is eligible insofar as age is concerned.
You are eligible pending the biopsy.
I would not go so far as to call you eligible.
Your previous scan suggests you are eligible, the new one does not.
The patient is eligible, though her platelets disqualify her.
The patient is eligible for the control group.
If not for her platelets, she is eligible.
The chart's author concludes that the patient is eligible.
You are eligible for this trial from next year.
You are eligible for this trial in six months.
You are eligible for this trial with a waiver.
The patient is eligible for this trial by a hair, on one reading.
The patient is eligible for the trial her brother joined.
Today you are eligible, tomorrow not.
You are likely eligible. But see criterion 4.
It is far too early to state that the patient is eligible.
There is scant reason for concluding that she is eligible.
We stop short of calling the patient likely eligible.
One would have to ignore the stroke to find that the patient is eligible.
The patient is eligible on paper.
On paper, the patient is eligible.
At first glance, the patient is eligible.
Superficially, you are eligible.
Contrary to what was assumed, the patient is eligible.
Had it not been for the stroke, the patient is eligible.
The patient is eligible except for the stroke.
The patient is eligible apart from her age.
The patient is eligible minus the stroke.
You are likely eligible in every respect but age.
Ignoring the stroke, the patient is eligible.
Setting aside her stroke, she is likely eligible.
Leaving out exclusion criterion 3, the patient is eligible.
Absent the stroke, the patient is eligible.
Barring pregnancy, you are eligible.
In a perfect world, you are eligible.
Let us pretend that you are eligible.
The trial is open. The sponsor is eligible.
The device is eligible for this trial.
The hospital is likely eligible.
My conclusion is not that the patient is eligible.
The conclusion that the patient is eligible does not hold.
The answer is no: the patient is eligible elsewhere only.
The patient is eligible for neither arm.
The patient is eligible for none of the cohorts of this trial.
You are likely eligible for no trial.
You are likely eligible for the follow-up of this trial.
The patient is eligible for the trial's observation arm only.
Your chances of being found likely eligible are slim.
The odds that you are eligible are low.
The patient is likely eligible to be excluded.
The system marked her as Likely Eligible by mistake.
The draft said: Likely Eligible.
Previously: Likely Eligible
Status before the stroke: Likely Eligible
Status of her sister: Likely Eligible
Eligibility for NCT00000001 (other trial): Eligible
Example: Likely Eligible
Determination: Likely Eligible. Correction: Not Eligible.
Determination: Likely Eligible? Not quite.
Determination: Likely Eligible is wrong
Determination: neither Likely Eligible nor Not Eligible
Determination: Eligible (once stable)
Result: eligible age, ineligible diagnosis
Overall: eligible on age, not on diagnosis
Answer: Eligible criteria are listed below.
Answer: not eligible patients are those with stroke.
The patient meets all inclusion criteria. She takes warfarin, which is not allowed; the patient is not eligible.
The patient meets all inclusion criteria and is contraindicated.
The patient meets all inclusion criteria and one exclusion criterion.
The patient meets all inclusion criteria and has no asthma and meets exclusion criterion 2.
The patient meets all inclusion criteria, no doubt, and meets exclusion criterion 2.
The patient meets all inclusion criteria. Her stroke disqualifies her.
The patient meets all inclusion criteria. Her stroke rules her out.
The patient meets all inclusion criteria. Sadly, she is pregnant.
The patient meets all inclusion criteria; however, she is pregnant.
The patient meets all inclusion criteria, which does not mean that she is eligible.
The patient meets all but one of the inclusion criteria.
The patient hardly meets all inclusion criteria.
The patient rarely meets all inclusion criteria.
The patient barely meets all inclusion criteria.
The patient no longer meets all inclusion criteria.
Who meets all inclusion criteria is eligible.
A patient who meets all criteria is eligible.
A patient is eligible.
Each patient is eligible.
Not every patient is eligible.
The patient in the example is eligible.
The typical patient is eligible.
The first patient is eligible, the second is not.
The patient with asthma is eligible, this one is not.
The patient's sister is eligible.
The patient's doctor is eligible.
Unlike the patient, she is eligible.
You are eligible; no, wait, you are not.
You are eligible - not.
You are eligible... not.
You are eligible, I wish I could say.
You are eligible in your dreams.
You are eligible as a healthy volunteer.
You are eligible in principle.
You are eligible in part.
You are eligible by age.
You are eligible based on age alone; your stroke is a problem.
You are eligible based on age only.
You are eligible regarding age.
You are eligible and ineligible at once.
It is not that you are not eligible.
Not that you are not eligible.
Few would call you ineligible.
Who says you are not eligible?
They said you are not eligible, and they were wrong.
You were once not eligible.
You are not eligible for reimbursement.
You are not eligible only for arm B.
You are not just eligible, you are ideal.
You are not only eligible but an ideal match.
The patient is not only eligible but ideal.
You are not yet not eligible.
The patient is not merely likely eligible.
You cannot participate without a signed form.
You cannot participate in two trials.
You cannot join before Monday.
The patient does not qualify as a smoker.
The patient does not meet all criteria of the exclusion list.
The patient does not meet all criteria for exclusion.
The patient does not meet the eligibility criteria for exclusion.
The patient does not fail to meet the inclusion criteria.
The patient is excluded due to nothing at all.
The patient meets all eligibility criteria except the last.
The patient meets all criteria on age.
No, you are eligible.
No: the patient is eligible.
No, likely eligible.
Example: the patient is eligible.
Example: the patient is not eligible.
Cohort B: the patient is eligible.
Myth: you are eligible.
Wrong answer: you are eligible.
Summary: her doctor believes she is eligible.
Summary: If you stop smoking, you are eligible.
Short answer: with luck, the patient is eligible.
Recommendation: with treatment, she is eligible.
With a waiver, you are eligible.
With an eGFR of 65, you are eligible.
Under the previous protocol, the patient is not eligible.
In the other trial, you are not eligible.
From her doctor's perspective, she is not eligible.
1. Suppose you are eligible.
a) Her sister is eligible.
The patient, a liar, is eligible.
The patient, a doctor's wife, is eligible.
The patient, her doctor thinks, is eligible.
The patient (her sister) is eligible.
Ms. Lee, your sister is eligible.
Ms. Lee, her doctor says you are eligible.
She's hardly eligible.
You're far from eligible.
You're not ineligible.
She's not only eligible but ideal.
You are not eligible, but only for arm B.
Determination: Likely Eligible. However, your doctor confirmed your stroke.
Determination: Likely Eligible. However, the study team says you are excluded.
Determination: Likely Eligible. However, the study doctor must confirm that you have no exclusion criterion.
Determination: Likely Eligible. However, you are pregnant.
Determination: Likely Eligible. However, your stroke rules you out.
Determination: Likely Eligible. However, your doctor should confirm if you are pregnant.
Determination: Likely Eligible. However, your doctor will not confirm it.
Determination: Likely Eligible. However, the study team may decide to exclude you.
Determination: Likely Eligible. However, talk to your doctor, because you are pregnant.
Determination: Likely Eligible. However, your stroke is a problem; ask your doctor.
Determination: Likely Eligible. However, ask your doctor about your stroke, which is an exclusion criterion.
Determination: Likely Eligible, but your doctor should confirm the stroke, which excludes you.
Determination: Likely Eligible, but your stroke is a concern your doctor should discuss.
Determination: Likely Eligible, pending the biopsy.
Determination: Likely Eligible (subject to a negative pregnancy test)
Determination: Likely Eligible, pending confirmation by the study team that you do not smoke.
Determination: Likely Eligible, pending confirmation by the study team, unless you smoke.
You are likely eligible. However, your doctor should confirm it. However, you are pregnant.
You are likely eligible. However, discuss it with your doctor. Unfortunately, your stroke rules you out.
You are likely eligible for this trial. However, your doctor must confirm the stroke that disqualifies you.
You are likely eligible, but you smoke.
Determination: Likely Eligible. However, your doctor should confirm it and your stroke is a problem.
You are likely eligible, but your doctor says no.
You are likely eligible. However, your pregnancy must be discussed with your doctor.
You are likely eligible. But you had a stroke, so your doctor must decide.
You are likely eligible. But your doctor should check your stroke.
The nurse's summary: the patient is eligible.
Her doctor's answer: the patient is eligible.
According to the summary: the patient is eligible.
Your brother is well. He's eligible.
Your brother is well. He's not eligible.
It is false: no, you are not eligible.
You're eligible if you stop smoking.
They're not eligible.
Not so: you are not eligible.
The answer is no longer that you are not eligible.
From the information her doctor gave, she is eligible.
From your history with the other trial, you are eligible.
After surgery, you are eligible.
After a review by her doctor, she is eligible.
After the assessment period, you are eligible.
Status: Likely Eligible. However, your doctor can confirm your stroke.
Status: Likely Eligible. However, you should see your doctor about your stroke.
Status: Likely Eligible. However, the study team will decide; your stroke excludes you.
Status: Likely Eligible – but the study team will decide against you.
Status: Likely Eligible – but the study team may decide otherwise.
Status: Likely Eligible. However, the study team can decide differently.
Status: Likely Eligible. However, your doctor must confirm a recent negative test.
Status: Likely Eligible. However, your doctor must confirm recovery from the stroke.
Status: Likely Eligible. However, your doctor should decide to reject you.
You're eligible for another trial.
She's eligible for surgery.
She's been told she's eligible.
Her doctor says she's eligible.
He's nearly eligible.
The patient thinks he's eligible.
No, you are not ineligible.
No, it is wrong that you are not eligible.
No, nobody says you are not eligible.
No. Summary: no, the patient is not only eligible but ideal.
With a doubt, you are not eligible.
With the other study, you are not eligible.
In his case, she is not eligible.
In her brother's case, she is not eligible.
By the previous study rules, you are not eligible.
For now, nobody says you are not eligible.
With a friend's claim that she is not eligible, she came.
With your sister, he is not eligible.
Note: If pregnant, you are not eligible.
Note: pregnant women are not eligible.
Question: you are eligible?
Note: you are eligible unless pregnant.
Impression: the patient thinks she is eligible.
The patient, 72 years old, her doctor says, is eligible.
The patient (her sister is 72) is eligible.
You are not eligible, but the doctor was wrong.
You are not eligible, but that is false.
You are not eligible, but that was a mistake.
You are not eligible, or so they say.
You are not eligible, but you are eligible.
You are not eligible, except in arm B.
You are not eligible except for arm B.
You are not eligible, however, if you stop warfarin you are.
You are not eligible, but only until your HbA1c falls.
You are not eligible, but if you stop warfarin, you are.
""",
    "es": """\
Es poco probable que usted sea elegible.
No es probable que usted sea elegible.
Es improbable que el paciente sea elegible.
Dudamos que la paciente es elegible.
No es cierto que el paciente es elegible.
La afirmación de que el paciente es elegible es falsa.
Cumple todos los criterios de inclusión, pero cumple un criterio de exclusión.
Cumple todos los criterios de inclusión. El criterio de exclusión 3 se aplica.
Su médico dice que usted es elegible.
Según su médico, usted es elegible.
Usted es elegible para otro ensayo.
Usted es elegible siempre que no fume.
Cuando baje su HbA1c, usted es elegible.
Su hermana no fuma. Es elegible.
Ningún paciente, joven o viejo, es elegible.
El paciente no cumple los criterios de exclusión.
Es difícil afirmar que usted es elegible.
Parece elegible. Sin embargo, su ictus lo descarta.
De no ser por el ictus, sería elegible.
No estamos seguros de que el paciente es elegible.
No creo que no sea elegible.
Es poco probable que no sea elegible.
El paciente cree ser elegible.
Estado: elegible si no fuma
Estado: poco probable que sea elegible
Estado: Elegible, pero con un criterio de exclusión
Conclusión: difícilmente elegible
La probabilidad de que el paciente es elegible es baja.
Que el paciente es elegible no está demostrado.
Pensar que usted es elegible sería un error.
Tampoco usted es elegible.
Ni usted es elegible.
Salvo por la edad, usted es elegible.
A no ser por la edad, usted es elegible.
Excepto por el ictus, el paciente es elegible.
En teoría, usted es elegible.
Con tratamiento, usted es elegible.
Tras la cirugía, usted es elegible.
Entonces usted es elegible.
Aunque usted es elegible, su ictus es un problema.
Usted es elegible el próximo año.
Usted es elegible con una exención.
No diría que usted es elegible.
No, usted es elegible.
Estado: Elegible. Sin embargo, su médico debe confirmar y está embarazada.
Estado: Elegible. Sin embargo, su médico no debe confirmar nada.
Estado: Elegible. Sin embargo, su ictus lo descarta.
Con suerte, usted es elegible.
Con una exención, usted es elegible.
Estado: Elegible. Sin embargo, está embarazada.
Usted no es elegible, salvo si deja de fumar.
Usted no es elegible sino ideal.
Usted no solo es elegible sino ideal.
El paciente no es candidato, sino donante.
""",
    "fr": """\
Il est peu probable que vous êtes éligible.
Il n'est pas probable que le patient est éligible.
Nous doutons que le patient est éligible.
Il n'est pas vrai que le patient est éligible.
L'affirmation selon laquelle le patient est éligible est fausse.
Le patient remplit tous les critères d'inclusion mais aussi un critère d'exclusion.
Le patient remplit tous les critères d'inclusion. Un critère d'exclusion s'applique.
Le patient remplit tous les critères d'exclusion.
Le patient ne remplit pas les critères d'exclusion.
Selon votre médecin, vous êtes éligible.
Votre médecin affirme que vous êtes éligible.
Sans cet AVC, vous seriez éligible.
Vous êtes éligible à un autre essai.
Vous êtes éligible à condition de ne pas fumer.
Votre sœur ne fume pas. Elle est éligible.
Aucun patient, jeune ou vieux, n'est éligible.
Vous semblez éligible. Cependant, votre AVC vous exclut.
Rien ne montre que le patient est éligible.
Il est difficile de dire que vous êtes éligible.
Vous seriez éligible si vous étiez majeur.
Le patient n'est guère éligible.
Vous n'êtes pas inéligible.
Statut : éligible sous réserve de confirmation
Statut : éligible sauf grossesse
Conclusion : guère éligible
Prétendre que vous êtes éligible serait faux.
Que le patient est éligible reste à prouver.
Dire que le patient est éligible serait exagéré.
Pas vous êtes éligible.
Jamais le patient est éligible.
Hormis l'âge, vous êtes éligible.
À part l'AVC, le patient est éligible.
En théorie, vous êtes éligible.
Avec de la chance, vous êtes éligible.
Après l'opération, vous êtes éligible.
Bien que vous êtes éligible, votre AVC pose problème.
Vous êtes éligible dans six mois.
Je ne dirais pas que vous êtes éligible.
Statut : éligible. Cependant, votre AVC vous exclut.
Non, vous êtes éligible.
Vous n'êtes pas éligible, sauf si vous arrêtez.
""",
    "de": """\
Es ist unwahrscheinlich, dass der Patient geeignet ist.
Wir bezweifeln, dass der Patient geeignet ist.
Es ist falsch, dass der Patient nicht geeignet ist.
Der Patient ist kaum geeignet.
Der Patient erfüllt alle Ausschlusskriterien.
Der Patient erfüllt die Ausschlusskriterien nicht.
Der Patient erfüllt alle Einschlusskriterien, aber auch ein Ausschlusskriterium.
Der Patient erfüllt alle Einschlusskriterien. Ein Ausschlusskriterium trifft zu.
Laut Ihrem Arzt sind Sie geeignet.
Ihr Arzt sagt, Sie sind geeignet.
Ohne den Schlaganfall wären Sie geeignet.
Sie sind für eine andere Studie geeignet.
Sie sind geeignet, sofern Sie nicht rauchen.
Ihre Schwester raucht nicht. Sie ist geeignet.
Kein Patient, ob alt oder jung, ist geeignet.
Sie scheinen geeignet. Allerdings schließt der Schlaganfall Sie aus.
Ich glaube nicht, dass Sie nicht geeignet sind.
Der Patient ist schwerlich geeignet.
Der Patient ist alles andere als geeignet.
Der Patient war geeignet.
Sie sind nicht ungeeignet.
Sie kommen für die Operation nicht in Frage.
Der Patient ist bedingt geeignet.
Ergebnis: geeignet, sofern der Befund passt
Fazit: kaum geeignet
Fazit: geeignet wäre nur die Schwester
Zu sagen, der Patient ist geeignet, wäre übertrieben.
Man könnte meinen, der Patient ist geeignet.
Der Arzt meint, der Patient ist geeignet.
Ihr Sohn meint, Sie sind geeignet.
Es wäre schön, Sie sind geeignet.
Nicht Sie sind geeignet.
Weder Sie sind geeignet noch Ihr Bruder.
Keineswegs sind Sie geeignet.
Abgesehen vom Alter sind Sie geeignet.
Bis auf das Alter ist der Patient geeignet.
Theoretisch sind Sie geeignet.
Mit Glück sind Sie geeignet.
Nach der Operation sind Sie geeignet.
Obwohl Sie geeignet sind, ist der Schlaganfall ein Problem.
Sie sind in sechs Monaten geeignet.
Ich würde nicht sagen, Sie sind geeignet.
Nein, Sie sind geeignet.
Fazit: geeignet. Allerdings muss Ihr Arzt bestätigen, dass kein Ausschlusskriterium vorliegt.
Fazit: geeignet. Allerdings sind Sie schwanger.
Sie sind geeignet. Allerdings schließt Ihr Arzt Sie aus.
Nach Angaben Ihres Arztes sind Sie geeignet.
Nach Ihren Angaben zum Arzt sind Sie geeignet.
Laut Angaben des Arztes sind Sie geeignet.
Basierend auf der Meinung Ihres Arztes sind Sie geeignet.
Sie sind nicht geeignet, außer Sie hören auf zu rauchen.
Sie sind nicht geeignet, sondern ideal.
""",
    "pt": """\
É pouco provável que você seja elegível.
Não é provável que o paciente é elegível.
É improvável que o paciente é elegível.
Duvidamos que o paciente é elegível.
Não é verdade que o paciente é elegível.
A afirmação de que o paciente é elegível é falsa.
Atende a todos os critérios de inclusão, mas atende a um critério de exclusão.
Atende a todos os critérios de inclusão. O critério de exclusão 3 se aplica.
O paciente não atende aos critérios de exclusão.
Segundo seu médico, você é elegível.
Seu médico diz que você é elegível.
Você é elegível para outro estudo.
Você é elegível desde que não fume.
Sua irmã não fuma. É elegível.
Nenhum paciente, jovem ou velho, é elegível.
Você parece elegível. No entanto, seu AVC impede a participação.
É difícil afirmar que você é elegível.
Você não é inelegível.
Sem o AVC, você seria elegível.
Não temos certeza de que o paciente é elegível.
Dificilmente o paciente é elegível.
Situação: elegível apenas se não fumar
Conclusão: elegível, mas excluído
Que o paciente é elegível não está provado.
Dizer que você é elegível seria exagero.
Exceto pela idade, você é elegível.
Em teoria, você é elegível.
Com sorte, você é elegível.
Após a cirurgia, você é elegível.
Embora você é elegível, seu AVC é um problema.
Você é elegível com uma isenção.
Eu não diria que você é elegível.
Não, você é elegível.
Situação: Elegível. No entanto, você está grávida.
""",
    "it": """\
È poco probabile che il paziente è idoneo.
Non è probabile che lei è idonea.
È improbabile che il paziente è idoneo.
Dubitiamo che il paziente è idoneo.
Non è vero che il paziente è idoneo.
L'affermazione che il paziente è idoneo è falsa.
Soddisfa tutti i criteri di inclusione, ma anche un criterio di esclusione.
Soddisfa tutti i criteri di inclusione. Si applica il criterio di esclusione 3.
Il paziente non soddisfa i criteri di esclusione.
Secondo il suo medico, lei è idonea.
Il medico dice che lei è idonea.
Lei è idonea per un altro studio.
Lei è idonea purché non fumi.
Sua sorella non fuma. È idonea.
Nessun paziente, giovane o vecchio, è idoneo.
Lei sembra idonea. Tuttavia, il suo ictus lo impedisce.
È difficile dire che lei è idonea.
Lei non è inidonea.
Senza l'ictus, il paziente sarebbe idoneo.
Difficilmente il paziente è idoneo.
Il paziente è quasi idoneo.
Esito: idoneo solo se non fuma
Esito: idoneo, ma escluso per età
Che il paziente è idoneo resta da dimostrare.
Dire che lei è idonea sarebbe eccessivo.
Non lei è idonea.
A parte l'età, il paziente è idoneo.
In teoria, lei è idonea.
Con un po' di fortuna, lei è idonea.
Dopo l'intervento, lei è idonea.
Sebbene lei è idonea, il suo ictus è un problema.
Lei è idonea tra sei mesi.
Non direi che lei è idonea.
No, lei è idonea.
Esito: Idonea. Tuttavia, lei è incinta.
Lei non è idonea, salvo che smetta.
""",
    "vi": """\
Bạn khó có khả năng đủ điều kiện.
Bạn ít có khả năng đủ điều kiện.
Không chắc bạn đủ điều kiện.
Chúng tôi nghi ngờ rằng bạn đủ điều kiện.
Không đúng là bạn đủ điều kiện.
Không có bằng chứng rằng bạn đủ điều kiện.
Bác sĩ của bạn nói rằng bạn đủ điều kiện.
Theo bác sĩ, bạn có khả năng đủ điều kiện.
Bạn đáp ứng tất cả các tiêu chí thu nhận nhưng cũng có một tiêu chí loại trừ.
Bạn đáp ứng tất cả các tiêu chí thu nhận. Tiêu chí loại trừ 3 được áp dụng.
Bạn không đáp ứng tiêu chí loại trừ.
Bạn đủ điều kiện tham gia nghiên cứu khác.
Bạn đủ điều kiện phẫu thuật.
Bạn có khả năng đủ điều kiện nếu bạn không hút thuốc.
Giả sử bạn 20 tuổi, bạn đủ điều kiện.
Chị gái của bạn không hút thuốc. Chị đủ điều kiện.
Bạn có vẻ đủ điều kiện. Tuy nhiên, bạn từng bị đột quỵ.
Bạn gần như đủ điều kiện.
Khó nói rằng bạn đủ điều kiện.
Bạn đủ điều kiện không?
Bạn có đủ điều kiện hay không vẫn chưa rõ.
Kết luận: đủ điều kiện nếu không hút thuốc
Kết luận: khó đủ điều kiện
Kết luận: bạn khó đủ điều kiện
Kết luận: đủ điều kiện, nhưng bị loại trừ
Những bằng chứng cho thấy bạn đủ điều kiện là yếu.
Khả năng bạn đủ điều kiện là thấp.
Xác suất bạn có khả năng đủ điều kiện rất thấp.
Chẳng có lý do gì bạn đủ điều kiện.
Ai nói bạn đủ điều kiện.
Bạn đủ điều kiện là một nhận định sai.
Ngoài tuổi tác, bạn đủ điều kiện.
Ngoại trừ tuổi tác, bạn đủ điều kiện.
Về lý thuyết, bạn đủ điều kiện.
Với may mắn, bạn đủ điều kiện.
Sau phẫu thuật, bạn đủ điều kiện.
Mặc dù bạn đủ điều kiện, đột quỵ là vấn đề.
Sáu tháng nữa bạn đủ điều kiện.
Tôi sẽ không nói rằng bạn đủ điều kiện.
Không, bạn đủ điều kiện.
Kết luận: Đủ điều kiện. Tuy nhiên, bạn đang mang thai.
Bạn không đủ điều kiện, trừ khi bạn bỏ thuốc.
""",
    "zh": """\
我们怀疑您符合条件。
说您符合条件是错误的。
并不是说您符合条件。
没有证据表明您符合条件。
您的医生认为您符合条件。
医生说，您符合条件。
据说您符合条件。
您符合所有入组标准，但符合一项排除标准。
您符合所有入组标准。排除标准第3条适用。
您符合另一项试验的条件。
如果不吸烟，您很可能符合条件。
您的妹妹不吸烟。她很可能符合条件。
您似乎符合条件。但是您有中风史。
您很难符合条件。
您几乎符合条件。
您未必符合条件。
不能说您不符合条件。
您是否符合条件尚不清楚。
任何患者都不符合条件吗？
假设您20岁，您符合条件。
很难说您很可能符合条件。
结论：符合条件的可能性很小
结论：符合条件，但被排除
结论：符合条件？否
结论：难以符合条件
符合条件的可能性低。
您符合条件的可能性很低。
您很可能符合条件的说法是错的。
该患者符合入组条件的证据不足。
谁说您符合条件。
您绝不符合条件。
您哪里符合条件。
您并不完全符合条件。
若无中风，您符合条件。
除年龄外，您符合条件。
理论上，您符合条件。
原则上您符合条件。
从理论上，您符合条件。
手术后，您符合条件。
虽然您符合条件，您的中风是个问题。
六个月后您符合条件。
您符合条件的前提是不吸烟。
不，您符合条件。
结论：符合条件。但您怀孕了。
结论：符合条件。但医生确认您有排除标准。
您不符合条件，除非您戒烟。
""",
}

PLAIN = {
    "likely_eligible": """\
Based on the information provided, you appear to be eligible for this clinical trial.
The patient is likely eligible for this trial because she has diabetes and is 54.
Overall, the patient is likely eligible.
In summary, this patient is eligible for the study.
She is eligible for the trial.
Given her age and diagnosis, she is likely eligible for NCT01234567.
It appears that you are eligible for this study.
We conclude that the patient is eligible.
It is likely that the patient is eligible.
I believe you are eligible.
You meet all the inclusion criteria and none of the exclusion criteria.
The patient meets the inclusion criteria and does not meet any exclusion criteria.
You would qualify for this trial.
Mr. Jones is likely eligible.
The 54-year-old woman is likely eligible.
The patient has asthma and is therefore likely eligible.
Yes, you are eligible to participate.
As she is over 18, she is likely eligible.
Since the patient does not have the excluded condition, they are eligible.
The patient seems to be a good candidate for this trial.
Según su perfil, usted es elegible para el ensayo.
Por lo tanto, usted es probablemente elegible.
El paciente cumple todos los criterios de inclusión y ninguno de los criterios de exclusión.
Por lo tanto, es elegible.
Concluimos que la paciente es elegible.
En résumé, le patient est probablement éligible à cet essai.
Vous êtes donc éligible.
Le patient remplit tous les critères d'inclusion et aucun critère d'exclusion.
Nous concluons que le patient est éligible.
Daher sind Sie wahrscheinlich für diese Studie geeignet.
Somit ist der Patient geeignet.
Der Patient erfüllt alle Einschlusskriterien und keine Ausschlusskriterien.
Insgesamt ist die Patientin wahrscheinlich teilnahmeberechtigt.
Portanto, você é provavelmente elegível para este estudo.
Concluímos que o paciente é elegível.
O paciente atende a todos os critérios de inclusão e a nenhum critério de exclusão.
Pertanto, il paziente è idoneo allo studio.
Quindi lei è probabilmente idonea.
Il paziente soddisfa tutti i criteri di inclusione e nessun criterio di esclusione.
Do đó, bạn có khả năng đủ điều kiện tham gia thử nghiệm này.
Bệnh nhân này đủ điều kiện.
Bạn đáp ứng tất cả các tiêu chí thu nhận và không có tiêu chí loại trừ nào.
因此，您很可能符合条件。
综上所述，该患者符合入组条件。
您符合所有入组标准，不符合任何排除标准。
根据您的资料，您很可能符合本试验的条件。
""",
    "not_eligible": """\
Based on the information provided, you are not eligible for this clinical trial.
Therefore, the patient is not eligible.
Unfortunately, the patient does not meet the inclusion criteria.
The patient is ineligible due to age.
Because of her stroke, she is not eligible.
Her recent stroke makes her ineligible.
The patient has a history of stroke and is therefore not eligible.
We conclude that the patient is not eligible.
It appears that you do not qualify.
You are unlikely to be eligible.
The patient is excluded from the trial because of pregnancy.
Your kidney disease excludes you from this study.
The patient meets the exclusion criterion and is not eligible.
She cannot participate in the study.
Por lo tanto, usted no es elegible.
El paciente no es elegible debido a su edad.
Lamentablemente, la paciente no cumple con los criterios de inclusión.
Le patient n'est donc pas éligible en raison de son âge.
Malheureusement, vous n'êtes pas éligible.
Daher ist der Patient nicht geeignet.
Der Patient ist aufgrund seines Alters nicht geeignet.
Leider können Sie nicht teilnehmen.
Portanto, o paciente não é elegível.
Infelizmente, você não atende aos critérios de inclusão.
Pertanto, il paziente non è idoneo.
Purtroppo lei non può partecipare.
Do đó, bạn không đủ điều kiện.
Rất tiếc, bạn không đáp ứng các tiêu chí thu nhận.
因此，您不符合条件。
很遗憾，该患者不符合本试验的入组条件。
由于年龄，患者不符合条件。
It is unlikely that the patient is eligible.
It is unlikely you are eligible.
It is not likely that you are eligible.
The patient is not Likely Eligible.
您不太可能符合条件。
Determination: not Likely Eligible
""",
}

# The same, behind a contraction, a heading, a plain no or a reason, or with the last word left to a doctor.
PLAIN_BY_LANGUAGE = {
    "en": {
        "likely_eligible": """\
You're likely eligible for this trial.
She's likely eligible for this trial.
Summary: The patient is likely eligible.
After careful review, the patient is considered likely eligible for NCT01234567.
The patient, a 54-year-old woman, is likely eligible.
Status: Likely Eligible. However, your doctor should confirm it.
""",
        "not_eligible": """\
You're not eligible for this trial.
You’re not eligible for this trial because you are 16.
Unfortunately, you're not eligible for this trial.
She's not eligible for this trial.
Unfortunately you're not a match for this trial.
No, you are not eligible for this trial.
No, unfortunately you are not eligible for this trial.
Result: No, you are not eligible.
**Eligibility:** No – you are not eligible.
**Summary:** You are not eligible for this trial.
**Recommendation:** The patient is not eligible for this trial.
Short answer: you are not eligible for this trial.
To answer your question: you are not eligible for this trial.
Key finding: the patient is not eligible.
Eligibility review: the patient is not eligible.
1. The patient is not eligible.
With an eGFR of 25, you are not eligible for this trial.
With your history of stroke, you are not eligible.
In your case, you are not eligible.
After review, the patient is not eligible.
From the information given, the patient is not eligible.
Per the exclusion criteria, the patient is not eligible.
Under the exclusion criteria, you are not eligible for this trial.
Under exclusion criterion 3, the patient is not eligible.
The patient, a 72-year-old man, is not eligible for this trial.
The patient (72 years old) is not eligible.
Ms. Lee, you are not eligible for this trial.
**Bottom line:** You're not eligible right now.
You are not eligible for this trial, but you may qualify for other studies.
You are currently not eligible, but you could become eligible in six months.
""",
    },
    "es": {
        "likely_eligible": """\
Estado: Probablemente elegible. Sin embargo, su médico debe confirmarlo.
Estado: Probablemente elegible. Sin embargo, consulte con su médico.
No presenta ningún criterio de exclusión, por lo que es probablemente elegible.
""",
        "not_eligible": """\
No, usted no es elegible para este ensayo.
No, lamentablemente usted no es elegible para este estudio.
Resumen: El paciente no es elegible.
Según su historial médico, usted no es elegible.
Con un FG de 25, usted no es elegible.
""",
    },
    "fr": {
        "likely_eligible": """\
Statut : Probablement éligible. Cependant, votre médecin doit le confirmer.
Statut : Probablement éligible. Cependant, parlez-en à votre médecin.
""",
        "not_eligible": """\
Non, vous n'êtes pas éligible à cet essai.
En résumé : vous n'êtes pas éligible.
Avec un DFG de 25, vous n'êtes pas éligible.
""",
    },
    "de": {
        "likely_eligible": """\
Basierend auf Ihrem Profil sind Sie wahrscheinlich für diese Studie geeignet.
Auf Grundlage Ihrer Angaben sind Sie wahrscheinlich für diese Studie geeignet.
Fazit: Wahrscheinlich geeignet. Allerdings muss Ihr Arzt dies bestätigen.
Fazit: Wahrscheinlich geeignet. Allerdings entscheidet das Studienteam.
""",
        "not_eligible": """\
Nein, Sie sind für diese Studie nicht geeignet.
Nein, Sie können an dieser Studie nicht teilnehmen.
Zusammenfassung: Der Patient ist nicht geeignet.
Zusammenfassend sind Sie für diese Studie nicht geeignet.
Basierend auf Ihrem Profil sind Sie nicht geeignet.
Nach Ihren Angaben sind Sie nicht geeignet.
""",
    },
    "pt": {
        "likely_eligible": """\
Situação: Provavelmente elegível. No entanto, seu médico deve confirmar.
Situação: Provavelmente elegível. No entanto, consulte seu médico.
""",
        "not_eligible": """\
Não, você não é elegível para este estudo.
Resumo: você não é elegível.
Você não é elegível devido à sua idade.
O paciente não é elegível para este ensaio devido à idade.
Com um DFG de 25, você não é elegível.
""",
    },
    "it": {
        "likely_eligible": """\
Esito: Probabilmente idonea. Tuttavia, il medico deve confermare.
Esito: Probabilmente idonea. Tuttavia, ne parli con il suo medico.
""",
        "not_eligible": """\
No, Lei non è idoneo a questo studio.
In sintesi: il paziente non è idoneo.
Con un eGFR di 25, lei non è idonea.
""",
    },
    "vi": {
        "likely_eligible": """\
Có, bạn có khả năng đủ điều kiện tham gia thử nghiệm này.
Bệnh nhân có khả năng đủ điều kiện tham gia nghiên cứu này vì đáp ứng các tiêu chí.
Kết luận: Có khả năng đủ điều kiện. Tuy nhiên, bác sĩ của bạn cần xác nhận.
""",
        "not_eligible": """\
Không, bạn không đủ điều kiện tham gia thử nghiệm này.
Bạn không đủ điều kiện tham gia thử nghiệm này vì bạn đang mang thai.
Bệnh nhân không đủ điều kiện tham gia nghiên cứu này do tuổi dưới 18.
Tóm tắt: bạn không đủ điều kiện.
""",
    },
    "zh": {
        "likely_eligible": """\
结论：很可能符合条件。但最终需由研究团队确认。
结论：很可能符合条件。不过，请咨询您的医生。
""",
        "not_eligible": """\
不，您不符合本试验的入选条件。
总结：您不符合条件。
""",
    },
}
